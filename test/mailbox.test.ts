import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { aggregateXml, gzip, mailWith, YESTERDAY } from '../packages/import/test/reports.ts';
import { account, plan } from './feed/lines.ts';
import { makeFolder } from './support/folder.ts';
import { freePort } from './support/network.ts';
import { type Line, startService, type TestService } from './support/service.ts';
import { exitCode, sightlineHere } from './support/sightline.ts';
import { until } from './support/until.ts';

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;
const missing = ['mbsync', 'dovecot', 'openssl'].filter(program => !isThere(program));
if (missing.length > 0)
  process.stderr.write(`skipped: fetching a mailbox needs ${missing.join(' and ')}, not installed here\n`);

/** Neither has any right beyond that of any user: tests run as root take the user "nobody". */
const user =
  userInfo().uid === 0
    ? {
        name: 'nobody',
        uid: Number(execFileSync('id', ['-u', 'nobody'])),
        gid: Number(execFileSync('id', ['-g', 'nobody'])),
      }
    : { name: userInfo().username, uid: userInfo().uid, gid: userInfo().gid };
const group = () => execFileSync('id', ['-gn', user.name], { encoding: 'utf8' }).trim();

/** A server of IMAP (Dovecot) in a folder, for one mailbox. */
const settings = (folder: string, port: number) => `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
default_internal_user = ${user.name}
default_internal_group = ${group()}
default_login_user = ${user.name}
first_valid_uid = 1
mail_location = maildir:${folder}/mailbox
passdb {
  driver = static
  args = password=correct
}
userdb {
  driver = static
  args = uid=${user.name} gid=${group()} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;

describe.skipIf(missing.length > 0)('a mailbox', () => {
  let folder: string;
  let port: number;
  let server: ChildProcess;
  let service: TestService;
  const fetchers: ChildProcess[] = [];

  beforeAll(async () => {
    folder = makeFolder();
    port = await freePort();
    for (const name of ['run', 'mailbox/new', 'mailbox/cur', 'mailbox/tmp', 'mail', 'other', 'moved', 'tmp'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['new', 'cur', 'tmp'])
      mkdirSync(join(folder, 'mailbox/.Other', name), { recursive: true });
    writeFileSync(
      join(folder, 'mailbox/.Other/new/1'),
      'Message-ID: <other@acme.example>\nSubject: other\n\n.\n',
    );
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
          ' ',
        ),
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ],
      { stdio: 'pipe' },
    );
    writeFileSync(join(folder, 'dovecot.conf'), settings(folder, port));
    writeFileSync(
      join(folder, 'mailbox/new/1'),
      mailWith({ bytes: gzip(aggregateXml([{ count: 7 }])), name: 'a.xml.gz' }),
    );
    for (const password of ['correct', 'wrong']) writeFileSync(join(folder, password), password);
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    server = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { ...user, stdio: 'ignore' });
    await until(() => listens(port));
    service = await startService();
    await service.load(...([account('acme'), plan('acme')] as Line[]));
  });
  afterAll(async () => {
    server?.kill('SIGTERM');
    // With what the script waits for.
    for (const { pid } of fetchers) process.kill(-pid!, 'SIGTERM');
    await Promise.all([server, ...fetchers].filter(Boolean).map(exitCode));
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As compose.yaml runs the script that fetches. */
  function fetching(mail: string, password: string, more: Record<string, string> = {}) {
    const child = spawn('/bin/sh', ['packaging/mailbox/fetch.sh'], {
      detached: true,
      uid: user.uid,
      gid: user.gid,
      env: {
        PATH: process.env.PATH,
        TMPDIR: join(folder, 'tmp'),
        MAIL: join(folder, mail),
        MAIL_HOST: 'localhost',
        MAIL_PORT: String(port),
        MAIL_USER: 'reports@acme.example',
        MAIL_PASSWORD_FILE: join(folder, password),
        MAIL_CA: join(folder, 'cert.pem'),
        ...more,
      },
    });
    fetchers.push(child);
    const found = { said: '' };
    child.stderr.on('data', chunk => {
      found.said += chunk;
    });
    return found;
  }

  it('is fetched over IMAP and imported, and its report is in /v1', async () => {
    const found = fetching('mail', 'correct');
    await until(() => existsSync(join(folder, 'mail/.fetched')) || expect.fail(found.said));
    const { command } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }).services[
      'import-mailbox'
    ];
    const [, args = ''] = /sightline\.js (import .*)$/m.exec(command[0]) ?? [];
    const { code, stderr } = await sightlineHere(
      args.replace('"$$ACCOUNT"', 'acme').replace('/mail', join(folder, 'mail')).split(' '),
      { DATABASE_URL: service.databaseUrl },
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Imported dmarc 1;/)]);
    const day = new Date(YESTERDAY * 1000).toISOString().slice(0, 10);
    const key = await service.key('personal', 'acme');
    const { body } = await service.get(`/v1/reports/dmarc?unit=days&date=${day}`, key);
    expect(body.reports).toMatchObject([{ count: 7 }]);
  });

  it('is fetched anew where another folder, or one that the server made anew, takes its place', async () => {
    const first = fetching('moved', 'correct');
    await until(() => existsSync(join(folder, 'moved/.fetched')) || expect.fail(first.said));
    process.kill(-fetchers.pop()!.pid!, 'SIGTERM');
    const found = fetching('moved', 'correct', { MAIL_FOLDER: 'Other' });
    await until(() => found.said.includes('again') || found.said.includes('was not fetched'));
    expect(found.said).toContain('all of it is fetched again');
    const inbox = join(folder, 'moved/inbox/new');
    const subjects = () => readdirSync(inbox).map(name => readFileSync(join(inbox, name), 'utf8'));
    await until(() => subjects().some(mail => mail.includes('Subject: other')));
  });

  it('with a wrong password is told, and nothing says that it was fetched', async () => {
    const found = fetching('other', 'wrong');
    await until(() => found.said.includes('was not fetched') || expect.fail(found.said));
    expect(existsSync(join(folder, 'other/.fetched'))).toBe(false);
  });
});

describe.skipIf(!isThere('mbsync'))('the recipe that removes imported mails', () => {
  it('has none of them fetched again', { timeout: 60_000 }, () => {
    const folder = makeFolder();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const page = readFileSync('docs/importing.md', 'utf8').replaceAll('~/', `${folder}/`);
    const [, settings = ''] = /```\nIMAPStore reports\n[\s\S]*?\n\n([\s\S]*?)```/.exec(page) ?? [];
    const [removal] = /^find .* -delete$/m.exec(page)!;
    // A folder in the place of the mail server.
    writeFileSync(join(folder, 'mbsyncrc'), `MaildirStore reports\nInbox ${folder}/far\n\n${settings}`);
    for (const name of ['far/new', 'far/cur', 'far/tmp', 'reports'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['old', 'young'])
      writeFileSync(join(folder, 'far/new', name), `Subject: ${name}\n\n.\n`);
    const inbox = join(folder, 'reports/inbox/new');
    const fetched = () => {
      // mbsync remembers in the home what it has fetched.
      const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder };
      execFileSync('mbsync', ['--config', join(folder, 'mbsyncrc'), 'reports'], { env, stdio: 'pipe' });
      return readdirSync(inbox).map(name => join(inbox, name));
    };
    const old = fetched().find(path => readFileSync(path, 'utf8').includes('old'))!;
    const then = Date.now() / 1000 - 42 * 86_400;
    utimesSync(old, then, then);
    execFileSync('sh', ['-c', removal]);
    expect(fetched().map(path => readFileSync(path, 'utf8'))).toEqual([expect.stringContaining('young')]);
    expect(readdirSync(join(folder, 'far/new')).concat(readdirSync(join(folder, 'far/cur')))).toHaveLength(2);
  });
});

const listens = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
