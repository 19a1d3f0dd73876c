import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aggregateXml, gzip, mailWith } from '../../packages/importer/test/reports.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { FaultProxy, type ProxyFault } from '../support/fault-proxy.ts';
import { hasMailServer, MailServer, RefusingServer } from '../support/mail-server.ts';
import { selfSigned } from '../support/self-signed.ts';
import {
  exitCode,
  type LastingProcess,
  sightline,
  sightlineHere,
  sightlineLasting,
  startSightline,
} from '../support/sightline.ts';
import { until } from '../support/until.ts';

if (!hasMailServer) process.stderr.write('skipped: importing a mailbox needs dovecot, not installed here\n');

const [MAILS, KILLS] = IN_EARNEST ? [5000, 50] : [150, 3];

const mail = (id: string) =>
  mailWith({ bytes: gzip(aggregateXml([{ count: 1 }], id)), name: `${id}.xml.gz` });
const mails = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`m${from + at}`, mail(`r${from + at}`)]));

/** The responses of a mail server to a login, and the messages of the import. */
const REFUSALS: [string, RegExp][] = [
  ['NO [UNAVAILABLE] Backend is down', /refuses temporarily \(UNAVAILABLE\): Backend is down\. Try later/],
  ['NO [OVERQUOTA] Bandwidth exceeded', /refuses temporarily \(OVERQUOTA\): Bandwidth exceeded\. Try later/],
  ['NO [LIMIT] Too many logins\u001b[2J', /refuses temporarily \(LIMIT\): Too many logins \[2J\. Try later/],
  ['NO [AUTHENTICATIONFAILED] No', /refuses the login of x: .*Check the user, and the password or token/],
];

describe.skipIf(!hasMailServer)(
  'the import from a mail server',
  { tags: 'slow', timeout: IN_EARNEST ? 900_000 : 60_000 },
  () => {
    let server: MailServer;
    let database: FeedDatabase;
    /** Imports that fail. They run during the other tests, because they retry for seconds. */
    let refused: Promise<{ code: number | null; stderr: string }[]>;
    beforeAll(async () => {
      [server, database] = await Promise.all([MailServer.start(), createFeedDatabase()]);
      const without = sightline(importing('imaps://x@nosuch.invalid/'), { env: env() });
      refused = Promise.all([...REFUSALS.map(([answer]) => importRefused(answer)), without]);
    });
    afterAll(async () => {
      await server?.stop();
      await database?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      await database.load({ kind: 'account', id: 'a', deleted: true });
      await database.load(account('a'));
    });

    const address = (user: string, folder = '', port = server.ports.imaps) =>
      `imaps://${user}@localhost:${port}/${folder}`;
    const importing = (imap: string, ...options: string[]) => [
      ...['import', '--account', 'a', '--json', '--imap', imap],
      ...(options.includes('--token-command') || options.includes('--password-file')
        ? []
        : ['--password-file', server.password]),
      ...(options.includes('--ca') ? [] : ['--ca', server.ca]),
      ...options,
    ];
    const env = () => ({ DATABASE_URL: database.url });
    async function imported(imap: string, ...options: string[]) {
      const { code, stderr } = await sightlineHere(importing(imap, ...options), env());
      const last = stderr.trim().split('\n').at(-1)!;
      return { code, stderr, ...(last.startsWith('{') ? JSON.parse(last) : {}) };
    }
    async function importRefused(answer: string) {
      const refusing = await RefusingServer.start(answer);
      const address = `imaps://x@localhost:${refusing.port}/`;
      const ended = await sightline(importing(address, '--ca', refusing.ca), { env: env() });
      await refusing.stop();
      return ended;
    }
    /** The number of reports, and of the mails that contain them. */
    const stored = async () => {
      const [row] = await database.rows(
        "select count(*)::text as reports, coalesce(sum(count), 0)::text as count from report where account_id = 'a'",
      );
      return [Number(row!.reports), Number(row!.count)];
    };

    /** Waits until a running import has stored this number of reports, each from a mail of its own. */
    const untilStored = ({ written }: LastingProcess, reports: number) =>
      until(async () => expect(await stored(), written.stderr).toEqual([reports, reports]));

    it('reads each mail once without changing the mailbox', async () => {
      server.deliver('once', mails(0, 3));
      expect(await imported(address('once'))).toMatchObject({
        code: 0,
        items: 3,
        records: { dmarc: 3 },
        repeated: 0,
      });
      expect(await imported(address('once'))).toMatchObject({ code: 0, items: 0, records: {}, repeated: 0 });
      server.deliver('once', mails(3, 4));
      expect(await imported(address('once', 'inbox'))).toMatchObject({
        code: 0,
        items: 1,
        records: { dmarc: 1 },
      });
      expect(server.state('once').filter(name => /:2,.+/.test(name))).toEqual([]);
      expect(server.state('once')).toHaveLength(4);
    });

    it('reads all mails with --again or other options, without counting reports twice', async () => {
      server.deliver('again', mails(0, 2));
      await imported(address('again'));
      expect(await imported(address('again'), '--again')).toMatchObject({ repeated: 2, records: {} });
      expect(await imported(address('again'), '--max-parts', '999')).toMatchObject({ items: 2, repeated: 2 });
      expect(await stored()).toEqual([2, 2]);
    });

    it('reads all mails again when the routes change', async () => {
      server.deliver('routed', mails(0, 2));
      const routed = async (line: string) => {
        const file = `${server.ca}.routes`;
        writeFileSync(file, line);
        const { code, stderr } = await sightlineHere(
          importing(address('routed'), '--route', file).filter(word => word !== '--account' && word !== 'a'),
          env(),
        );
        return [code, JSON.parse(stderr.trim().split('\n').at(-1)!).records];
      };
      expect(await routed('other.example: a')).toEqual([3, {}]);
      expect(await routed('example.org: a\nexample.com: a\nexample.net: a\nacme.example: a')).toEqual([
        0,
        { dmarc: 2 },
      ]);
    });

    it('reads all mails again after the server recreates the mailbox, without counting reports twice', async () => {
      server.deliver('anew', mails(0, 3));
      await imported(address('anew'));
      server.recreate('anew');
      server.deliver('anew', mails(3, 4));
      const { code, stderr, records, repeated } = await imported(address('anew'));
      expect([code, records, repeated]).toEqual([0, { dmarc: 1 }, 3]);
      expect(stderr).toContain('INBOX was recreated on the mail server');
    });

    it('continues after deleted mails', async () => {
      server.deliver('deleted', mails(0, 4));
      await imported(address('deleted'));
      server.remove('deleted', name => name.startsWith('m1') || name.startsWith('m3'));
      server.deliver('deleted', mails(4, 5));
      expect(await imported(address('deleted'))).toMatchObject({ code: 0, items: 1, records: { dmarc: 1 } });
    });

    it('names mails that are too large or contain no report, and reads them only once', async () => {
      server.deliver('odd', {
        ...mails(0, 1),
        text: 'Subject: lunch\nFrom: ann@acme.example\n\nAt noon?\n',
        huge: `Subject: huge\n\n${'x'.repeat(70)}\n`.padEnd(3_000_000, '0123456789\n'),
      });
      const list = `${server.ca}.skipped`;
      writeFileSync(list, 'of an earlier import\n');
      const options = ['--max-mail', '2M', '--skipped', list];
      const { code, stderr, records, skipped } = await imported(address('odd'), ...options);
      expect([code, records]).toEqual([3, { dmarc: 1 }]);
      expect(skipped).toEqual({ 'is a mail that is too large': 1, 'is a mail without a report': 1 });
      expect(stderr).toMatch(
        /INBOX: mail \d is a mail that is too large: 3\d+ bytes, but --max-mail allows 2000000/,
      );
      const reasons = readFileSync(list, 'utf8').trimEnd().split('\n');
      expect(reasons.map(line => JSON.parse(line).reason).sort()).toEqual(Object.keys(skipped).sort());
      expect(await imported(address('odd'), ...options)).toMatchObject({ code: 0, items: 0 });
      expect(readFileSync(list, 'utf8')).toBe('');
    });

    it('imports a report in a mail of several megabytes', async () => {
      const xml = `${aggregateXml([{ count: 1 }], 'large')}${'\n'.repeat(2_300_000)}`;
      const large = mailWith({ bytes: xml, name: 'large.xml' });
      expect(large.length).toBeGreaterThan(2_200_000);
      server.deliver('large', { large });
      expect(await imported(address('large'))).toMatchObject({ code: 0, records: { dmarc: 1 } });
    });

    it('reads several folders, by name and by pattern', async () => {
      server.deliver('folders', mails(0, 1));
      server.deliver('folders', mails(1, 2), '.Reports.DMARC');
      server.deliver('folders', mails(2, 3), '.Reports.TLS');
      server.deliver('folders', mails(3, 4), '.Private');
      expect(await imported(address('folders', 'INBOX'), '--folder', 'Reports.*')).toMatchObject({
        code: 0,
        records: { dmarc: 3 },
      });
      expect(await imported(address('folders'), '--folder', 'Private')).toMatchObject({
        records: { dmarc: 1 },
      });
    });

    it.each<[string, () => string[], RegExp]>([
      [
        'a wrong password',
        () => [address('x'), '--password-file', server.wrongPassword],
        /refuses the login of x: .*Check the user, and the password or token/,
      ],
      ['a missing folder', () => [address('x', 'Reports')], /has no folder "Reports"\. It has: INBOX\./],
      ['a pattern that matches no folder', () => [address('x'), '--folder', 'R*'], /has no folder "R\*"/],
      [
        'a certificate of an unknown authority',
        () => [address('x'), '--ca', otherAuthority()],
        /an untrusted certificate.*--ca/,
      ],
      [
        'a certificate for another name',
        () => [address('x').replace('localhost', '127.0.0.1')],
        /an untrusted certificate/,
      ],
      ['TLS on a port without TLS', () => [address('x', '', server.ports.imap)], /does not use TLS on port/],
      [
        'a rejected token',
        () => [address('x'), '--token-command', 'echo abc'],
        /does not support this kind of login: use --password-file/,
      ],
      [
        'a token command that fails',
        () => [address('x'), '--token-command', 'exit 7'],
        /--token-command ended with 7/,
      ],
      [
        'a password in the address',
        () => [address('x').replace('x@', 'x:hidden@')],
        /--imap has a password.*--password-file/,
      ],
      [
        'a password file that all users can read',
        () => [address('x'), '--password-file', readable()],
        /can be read by other users.*chmod 600/,
      ],
    ])('prints the cause and the next step: %s', async (_, options, message) => {
      server.deliver('x', {});
      const [imap = '', ...more] = options();
      const { code, stderr } = await imported(imap, ...more);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/hidden|correct\b(?!\.)|wrong\b(?! version)|abc/);
    });
    function otherAuthority(): string {
      const path = `${server.ca}.other`;
      writeFileSync(path, selfSigned('localhost').certificate);
      return path;
    }
    function readable(): string {
      const path = `${server.password}.readable`;
      writeFileSync(path, 'correct', { mode: 0o644 });
      return path;
    }

    it('logs in with the token of a command, and with a new one after each lost connection', async () => {
      const provider = await MailServer.start({ acceptsTokens: true });
      provider.deliver('tokens', mails(0, 1));
      const token = `${provider.password}.token`;
      const renew = (text: string) => {
        writeFileSync(token, `${text}\n`, { mode: 0o600 });
        provider.tokens.clear();
        provider.tokens.set(text, 'tokens');
      };
      renew('ya29.first');
      const proxy = await FaultProxy.start(`imaps://tokens@localhost:${provider.ports.imaps}/`);
      const url = proxy.url.replace('127.0.0.1', 'localhost');
      const options = ['--ca', provider.ca, '--token-command', `cat ${token}`];
      const following = sightlineLasting(importing(url, '--follow', ...options), env());
      await untilStored(following, 1);
      renew('ya29.second');
      await proxy.set('reset');
      await until(() => expect(following.written.stderr).toContain('Trying again in'));
      provider.deliver('tokens', mails(1, 2));
      await proxy.set('none');
      await untilStored(following, 2);
      expect((await following.end()).code).toBe(0);
      await proxy.close();
      provider.tokens.clear();
      const { code, stderr } = await imported(url.replace(/:\d+/, `:${provider.ports.imaps}`), ...options);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/refuses the login of tokens: .*Check the user, and the password or token/),
      ]);
      expect(stderr).not.toContain('ya29');
      await provider.stop();
    });

    it('uses STARTTLS for an imap: address', async () => {
      server.deliver('start', mails(0, 1));
      const plain = `imap://start@localhost:${server.ports.imap}/`;
      expect(await imported(plain)).toMatchObject({ code: 0, records: { dmarc: 1 } });
    });

    it('imports new mails immediately with --follow, even after a lost connection', async () => {
      server.deliver('followed', mails(0, 1));
      const proxy = await FaultProxy.start(address('followed'));
      const url = proxy.url.replace('127.0.0.1', 'localhost');
      const following = sightlineLasting(importing(url, '--follow'), env());
      await untilStored(following, 1);
      server.deliver('followed', mails(1, 2));
      await untilStored(following, 2);
      await proxy.set('reset');
      await until(() => expect(following.written.stderr).toContain('Trying again in'));
      server.deliver('followed', mails(2, 3));
      await proxy.set('none');
      await untilStored(following, 3);
      expect((await following.end()).code).toBe(0);
      await proxy.close();
    });

    it('reads each folder once with --again and --follow, however often it looks', async () => {
      server.deliver('looks', mails(0, 1));
      server.deliver('looks', mails(1, 2), '.Other');
      await imported(address('looks'), '--folder', 'Other');
      const options = ['--folder', 'Other', '--folder', 'INBOX', '--follow', '--again'];
      const following = sightlineLasting(importing(address('looks'), ...options), env());
      await untilStored(following, 2);
      // The first folder is looked at again before its new mail arrives.
      server.deliver('looks', mails(2, 3), '.Other');
      await untilStored(following, 3);
      const { code, stderr } = await following.end();
      expect(code).toBe(0);
      const batches = stderr.split('\n').filter(line => line.startsWith('{'));
      const outcomes = batches.map(line => JSON.parse(line)).map(({ items, repeated }) => [items, repeated]);
      expect(outcomes).toEqual([
        [0, 1],
        [1, 0],
        [1, 0],
      ]);
    });

    it.each<ProxyFault>(['cutLater', 'stall'])('loses no mail when the network fails: %s', async fault => {
      const user = `net${fault.toLowerCase()}`;
      server.deliver(user, mails(0, 20));
      const proxy = await FaultProxy.start(address(user));
      const url = proxy.url.replace('127.0.0.1', 'localhost');
      await proxy.set(fault);
      const first = imported(url, '--timeout', '600ms');
      await until(() => expect(proxy.accepted.length).toBeGreaterThan(1));
      await proxy.set('none');
      expect(await first).toMatchObject({ code: 0 });
      expect(await stored()).toEqual([20, 20]);
      await proxy.close();
    });

    it('prints the cause of what the server refuses, and of a server without an address', async () => {
      const messages = [
        ...REFUSALS.map(([, message]) => message),
        /nosuch\.invalid has no address .*check the name/,
      ];
      expect((await refused).map(({ code, stderr }) => [code, stderr])).toEqual(
        messages.map(message => [1, expect.stringMatching(message)]),
      );
    });

    it(`imports ${MAILS} mails exactly once while it is killed ${KILLS} times`, async () => {
      server.deliver('killed', mails(0, MAILS));
      for (let kills = 0, longest = IN_EARNEST ? 12_000 : 700; kills < KILLS; kills++) {
        // A new mail arrives after each kill.
        const child = startSightline(importing(address('killed'), '--follow'), { env: env() });
        // The process is killed at a random moment: while it connects, reads, loads or waits.
        await pause(Math.random() * longest);
        child.kill('SIGKILL');
        await exitCode(child);
        const [reports, count] = await stored();
        expect(count).toBe(reports);
        server.deliver('killed', mails(MAILS + kills, MAILS + kills + 1));
      }
      expect((await imported(address('killed'))).code).toBe(0);
      expect(await stored()).toEqual([MAILS + KILLS, MAILS + KILLS]);
      expect(await imported(address('killed'))).toMatchObject({ items: 0, repeated: 0 });
    });
  },
);
