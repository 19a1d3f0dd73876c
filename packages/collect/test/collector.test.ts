import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { reportReader } from '../../../src/collect/reader.ts';
import { exchangeRaw, writeThenRead } from '../../../test/support/raw-http.ts';
import { until } from '../../../test/support/until.ts';
import { type Collecting, collecting, linesIn, post, violation } from './collecting.ts';

const ALLOW = { 'access-control-allow-origin': '*' };

const reports = (account: string, outcome: string) =>
  `sightline_collect_reports_total{account="${account}",outcome="${outcome}"}`;

describe('a collector', () => {
  let collector: Collecting & { to: string };
  beforeAll(async () => {
    collector = await collecting();
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  it('answers a report with 204 and nothing else, and writes it down', async () => {
    const answer = await post(`${collector.to}/enforce`, violation());
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 204, text: '' });
    expect(Object.fromEntries(answer.headers)).toMatchObject(ALLOW);
    const [line] = await until(async () => {
      const lines = await collector.lines();
      return lines.length > 0 && lines;
    });
    expect(line).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kind: 'enforce',
      user_agent: 'Mozilla/5.0 Test',
      body: JSON.parse(violation()),
    });
    expect(await collector.metric(reports('acme', 'accepted'))).toBe(1);
  });

  it('allows another origin to send JSON, before it does', async () => {
    const { status, headers } = await fetch(collector.to, { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...ALLOW,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '86400',
    });
  });

  const deep = `${'['.repeat(80)}${violation()}${']'.repeat(80)}`;
  const deepText = `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`;
  /** A report whose body is a text. */
  const within = (body: string) => JSON.stringify({ type: 'csp-violation', body });
  it.each<[number, string, string, RequestInit]>([
    [404, 'a token that there is not', '/r/0000000000000000000000', { method: 'POST', body: violation() }],
    [404, 'another path', '/report', { method: 'POST', body: violation() }],
    [404, 'another kind', 'TOKEN/try', { method: 'POST', body: violation() }],
    [404, 'a longer path', 'TOKEN/report/more', { method: 'POST', body: violation() }],
    [405, 'another method', 'TOKEN', { method: 'GET' }],
    [405, 'PUT', 'TOKEN', { method: 'PUT', body: violation() }],
    [413, 'a body of more than 64 KiB', 'TOKEN', { method: 'POST', body: 'x'.repeat(65_537) }],
    [413, 'more than 100 reports', 'TOKEN', { method: 'POST', body: `[${Array(101).fill(violation())}]` }],
    [
      415,
      'gzip',
      'TOKEN',
      {
        method: 'POST',
        body: new Uint8Array(gzipSync(violation())),
        headers: { 'content-encoding': 'gzip' },
      },
    ],
    [400, 'no body', 'TOKEN', { method: 'POST' }],
    [400, 'no JSON', 'TOKEN', { method: 'POST', body: 'a=b' }],
    [400, 'no report', 'TOKEN', { method: 'POST', body: '{"usage":{"type":"csp"}}' }],
    [400, 'a report of mail', 'TOKEN', { method: 'POST', body: '{"report-id":"x","policies":[]}' }],
    [400, 'an empty list', 'TOKEN', { method: 'POST', body: '[]' }],
    [400, 'JSON that is nested too deeply', 'TOKEN', { method: 'POST', body: deep }],
    [400, 'a text in place of a body that is no JSON', 'TOKEN', { method: 'POST', body: within('{broken') }],
    [
      400,
      'a text in place of a body that is nested too deeply',
      'TOKEN',
      { method: 'POST', body: within(deepText) },
    ],
    [
      204,
      'a report of a type that is not kept',
      'TOKEN',
      { method: 'POST', body: '{"expect-ct-report":{}}' },
    ],
    [200, 'the question after its health', '/healthz', { method: 'GET' }],
  ])('answers with %i to %s', async (status, _, path, init) => {
    const url = path.startsWith('TOKEN') ? path.replace('TOKEN', collector.to) : collector.url + path;
    const answer = await fetch(url, init);
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text: '' });
    expect(Object.fromEntries(answer.headers)).toMatchObject(ALLOW);
  });

  it('takes a body that comes in pieces, up to its bound', async () => {
    const path = new URL(collector.to).pathname;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunks = (text: string) =>
      text.replace(/.{1,7}/gs, part => `${part.length.toString(16)}\r\n${part}\r\n`);
    const marked = violation({ 'script-sample': 'in pieces' });
    expect(await exchangeRaw(collector.url, `${head}${chunks(marked)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 204 /);
    expect(await exchangeRaw(collector.url, head + chunks('x'.repeat(70_000)))).toMatch(/^HTTP\/1.1 413 /);
    await until(async () => (await collector.lines()).some(({ body }) => JSON.stringify(body) === marked));
  });

  it('answers a client that is still sending what is too large, and resets no connection', async () => {
    const path = new URL(collector.to).pathname;
    const body = 'x'.repeat(8_000_000);
    for (const head of ['Content-Length: 8000000\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n7a1200\r\n']) {
      const request = `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}${body}`;
      expect(await writeThenRead(collector.url, request)).toMatch(/^HTTP\/1.1 413 .*\r\n\r\n$/s);
    }
  });

  it('gives up on a request that is not there in full after seconds', async () => {
    const path = new URL(collector.to).pathname;
    const slow = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`;
    expect(await exchangeRaw(collector.url, slow)).toMatch(
      /^HTTP\/1.1 408 .*Access-Control-Allow-Origin: \*\r\n.*Connection: close\r\n/s,
    );
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header that does not end', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
    ['an expectation', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ])('answers %s without a body', async (_, request, status) => {
    const answer = await exchangeRaw(collector.url, request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Access-Control-Allow-Origin: \\*\r\n`, 's'));
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  it('writes one line for a body, whatever stands in it', async () => {
    const agent = `x","usage":{"type":"csp"},"y":"`;
    const hostile = violation({ 'script-sample': '"},"usage":{"rejected":9}}\n\u2028\u0000\\' });
    const spaced = JSON.stringify(JSON.parse(hostile), null, 2).replaceAll('\n', '\r\n');
    expect((await post(collector.to, spaced, { 'user-agent': agent })).status).toBe(204);
    const line = await until(
      async () => (await collector.lines()).find(({ user_agent }) => user_agent === agent) ?? false,
    );
    expect(Object.keys(line)).toEqual(['id', 'time', 'kind', 'user_agent', 'body']);
    expect(line.body).toEqual(JSON.parse(hostile));
  });

  it('keeps a kilobyte of a user agent', async () => {
    await post(`${collector.to}/report`, violation(), { 'user-agent': 'long'.repeat(1000) });
    const line = await until(
      async () => (await collector.lines()).find(({ kind }) => kind === 'report') ?? false,
    );
    expect(line.user_agent).toHaveLength(1024);
  });

  it('takes a list of reports, and counts those that it does not know', async () => {
    const type = (name: string) => ({ type: name, age: 1, url: 'https://list.example/', body: { id: 'x' } });
    const body = JSON.stringify([type('deprecation'), { no: 'report' }, type('document-policy-violation')]);
    expect((await post(collector.to, body)).status).toBe(204);
    const line = await until(
      async () => (await collector.lines()).find(({ body }) => body.type === 'deprecation') ?? false,
    );
    expect(line.body).toEqual(type('deprecation'));
    expect(await collector.metric(reports('acme', 'unknown'))).toBe(1);
    // The other one is of the table above.
    expect(await collector.metric(reports('acme', 'unkept'))).toBe(2);
  });

  it('takes a body as deep as the importer reads, and none that is one level deeper', async () => {
    // The body and the report are two levels.
    const nested = (levels: number) =>
      violation({ x: JSON.parse(`${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}`) });
    expect((await post(collector.to, nested(reportReader.maxDepth))).status).toBe(204);
    expect((await post(collector.to, nested(reportReader.maxDepth + 1))).status).toBe(400);
  });

  it('holds a hundred connections of a client open, and takes another once one has ended', async () => {
    await using collector = await collecting({ proxies: new BlockList() });
    const { port, hostname } = new URL(collector.url);
    const open = async () => {
      const socket = connect(Number(port), hostname);
      let isOpen = true;
      socket.on('close', () => {
        isOpen = false;
      });
      socket.on('error', () => {});
      await once(socket, 'connect');
      return { socket, isOpen: () => isOpen };
    };
    const held = [];
    for (let time = 0; time < 100; time++) held.push(await open());
    const further = await open();
    await until(() => !further.isOpen());
    expect(held.filter(({ isOpen }) => !isOpen())).toEqual([]);
    held[0]!.socket.destroy();
    await until(async () => (await post(collector.to, violation()).catch(() => undefined))?.status === 204);
    for (const { socket } of held) socket.destroy();
  });
});

describe('hosts', () => {
  it('leave out reports of pages elsewhere, which are counted', async () => {
    await using collector = await collecting({}, { hosts: ['acme.example'] });
    const of = (uri: string) => post(collector.to, violation({ 'document-uri': uri }));
    for (const page of [
      'https://acme.example/',
      'https://www.ACME.example./x',
      'http://a.b.acme.example:8080/',
    ])
      expect((await of(page)).status).toBe(204);
    for (const page of ['https://other.example/', 'https://badacme.example/', 'about', ''])
      expect((await of(page)).status).toBe(204);
    await until(async () => (await collector.lines()).length === 3);
    expect(await collector.metric(reports('acme', 'otherHost'))).toBe(4);
    await collector.collector.close();
    expect((await collector.lines()).at(-1)!.usage).toEqual({
      type: 'csp',
      date: new Date().toISOString().slice(0, 10),
      filtered: 0,
      sampled: 0,
      rejected: 4,
    });
  });
});

describe('sampling', () => {
  it('keeps a part, says which beside each report, and counts the others', async () => {
    await using collector = await collecting({}, { sampling: { csp: 50, wizard: 1 } });
    const nel = {
      type: 'network-error',
      url: 'https://acme.example/',
      body: { type: 'tcp.reset', phase: 'dns' },
    };
    const body = JSON.stringify([...Array(90).fill(JSON.parse(violation())), nel]);
    for (let time = 0; time < 4; time++) await post(collector.to, body);
    await collector.collector.close();
    const lines = await collector.lines();
    const csp = lines.filter(({ body }) => body?.['csp-report']);
    // Both ends are ten standard deviations away.
    expect(csp.length).toBeGreaterThan(85);
    expect(csp.length).toBeLessThan(275);
    expect(new Set(csp.map(({ rate }) => rate))).toEqual(new Set([0.5]));
    expect(lines.filter(({ body }) => body?.type === 'network-error')).toHaveLength(4);
    expect(lines.at(-1)!.usage).toMatchObject({ type: 'csp', sampled: 360 - csp.length, rejected: 0 });
  });

  it('of a wizard goes by its own part', async () => {
    await using collector = await collecting({}, { sampling: { wizard: 1 } });
    const body = `[${Array(100).fill(violation())}]`;
    await post(`${collector.to}/wizard`, body);
    await post(`${collector.to}/report`, body);
    await collector.collector.close();
    const lines = await collector.lines();
    expect(lines.find(({ kind }) => kind === 'report')!.body).toHaveLength(100);
    expect(lines.filter(({ kind }) => kind === 'wizard').length).toBeLessThan(30);
  });
});

describe('rates', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('bound a client, by its network alone, and answer it as ever', async () => {
    await using collector = await collecting({ clientRate: 1 });
    const sent = async (times: number, address: string) => {
      for (let time = 0; time < times; time++)
        expect((await post(collector.to, violation(), from(address))).status).toBe(204);
    };
    await sent(60, '2001:db8:1:2:3:4:5:6');
    await sent(60, '2001:0DB8:0001:2::9, 127.0.0.1');
    const unread = await collector.metric(reports('acme', 'unread'));
    // A hundred at once, and one more each second.
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThanOrEqual(20);
    await sent(50, '2001:db8:1:3::1');
    await sent(50, '192.0.2.1');
    expect(await collector.metric(reports('acme', 'unread'))).toBe(unread);
  });

  it('take the word of listed proxies alone', async () => {
    await using collector = await collecting({ clientRate: 1, proxies: new BlockList() });
    for (let time = 0; time < 110; time++) await post(collector.to, violation(), from(`192.0.2.${time}`));
    expect(await collector.metric(reports('acme', 'unread'))).toBeGreaterThan(0);
  });

  it('cost one who guesses tokens a connection each time', async () => {
    await using collector = await collecting({ clientRate: 1 });
    const guess = () => fetch(`${collector.url}/r/0000000000000000000000`, { method: 'POST', body: '{}' });
    expect((await guess()).headers.get('connection')).toBe('keep-alive');
    // A machine that stands still for a second lets one guess more pass.
    await until(async () => (await guess()).headers.get('connection') === 'close', 0);
  });

  it('bound an account, and no other one', async () => {
    await using collector = await collecting({ accountRate: 1 });
    const other = await collector.token({ account: 'other' });
    await until(async () => (await post(other, '{}')).status === 400);
    const body = `[${Array(60).fill(violation())}]`;
    for (let time = 0; time < 5; time++) expect((await post(collector.to, body)).status).toBe(204);
    expect((await post(other, body)).status).toBe(204);
    await collector.collector.close();
    expect(await collector.metric(reports('other', 'accepted'))).toBe(60);
    const accepted = await collector.metric(reports('acme', 'accepted'));
    expect(accepted).toBe(60);
    expect(await collector.metric(reports('acme', 'rate'))).toBe(240);
    expect((await collector.lines()).at(-1)!.usage).toMatchObject({ type: 'csp', rejected: 240 });
  });

  it('keep no address anywhere', async () => {
    await using collector = await collecting({ clientRate: 1 });
    for (let time = 0; time < 120; time++) await post(collector.to, violation(), from('203.0.113.77'));
    await collector.collector.close();
    const all = [
      ...collector.said,
      JSON.stringify(await collector.lines()),
      await collector.collector.metrics.print(),
    ];
    expect(all.join('\n')).not.toMatch(/203\.0\.113|127\.0\.0\.1/);
  });
});

describe('tokens', () => {
  it('are good once they are in the file, and no longer when their line is gone', async () => {
    await using collector = await collecting();
    const added = await collector.token({ account: 'later' });
    await until(async () => (await post(added, violation())).status === 204);
    expect((await post(collector.to, violation())).status).toBe(204);
    await writeFile(collector.tokens, '');
    await until(async () => (await post(added, violation())).status === 404);
    expect((await post(collector.to, violation())).status).toBe(404);
  });

  it('stay as they were while the file is written by half, or gone, which is told', async () => {
    await using collector = await collecting();
    await writeFile(collector.tokens, '{"sha256":"abc","acc');
    await until(() => collector.said.some(text => text.includes('Line 1 of the tokens')));
    expect((await post(collector.to, violation())).status).toBe(204);
    await rm(collector.tokens);
    await until(() => collector.said.some(text => text.includes('no such file')));
    expect((await post(collector.to, violation())).status).toBe(204);
    await writeFile(collector.tokens, '{"sha256":"abc","acc');
    const added = await collector.token({ account: 'after' });
    const [, whole = ''] = (await readFile(collector.tokens, 'utf8')).split('\n');
    await writeFile(collector.tokens, `${whole}\n`);
    await until(async () => (await post(added, violation())).status === 204);
  });

  it('are kept as digests, for an account that can be a folder', async () => {
    await using collector = await collecting();
    expect(await readFile(collector.tokens, 'utf8')).not.toContain(collector.to.split('/').at(-1));
    expect((await stat(collector.tokens)).mode & 0o777).toBe(0o600);
    for (const account of ['../up', 'a/b', '.hidden', '', 'a\0b', 'x'.repeat(256)])
      await expect(collector.token({ account })).rejects.toThrow('good as the name of a folder');
    await expect(collector.token({ hosts: ['https://acme.example'] })).rejects.toThrow('must be host names');
  });
});

describe('the spool', () => {
  it('shows files that are whole alone, and begins without what was left half written', async () => {
    await using collector = await collecting();
    await post(collector.to, violation());
    await until(async () => (await collector.lines()).length === 1);
    const folder = join(collector.spool, 'acme');
    await writeFile(join(folder, '.1-dead-0.ndjson.part'), '{"half');
    await collector.collector.close();
    await using again = await collecting({ spool: collector.spool });
    expect((await readdir(folder)).filter(name => name.endsWith('.part'))).toEqual([]);
    await post(again.to, violation());
    await until(async () => (await again.lines()).length === 2);
    const ids = (await again.lines()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('writes a file for each MiB before its second is over, of lines that are whole', async () => {
    await using collector = await collecting({ every: 3_600_000 });
    const marked = (mark: number) => violation({ 'script-sample': `${mark} ${'x'.repeat(60_000)}` });
    for (let mark = 0; mark < 90; mark++) await post(collector.to, marked(mark));
    await until(async () => (await collector.lines()).length > 60);
    await collector.collector.close();
    const bodies = (await collector.lines()).map(({ body }) => JSON.stringify(body));
    expect(bodies).toEqual(Array.from({ length: 90 }, (_, mark) => marked(mark)));
    expect((await readdir(join(collector.spool, 'acme'))).length).toBe(5);
  });

  it('drops what goes beyond its bound, until the importer has made room', async () => {
    await using collector = await collecting({ mostSpooled: 10_000 });
    const long = violation({ 'script-sample': 'x'.repeat(4000) });
    for (let time = 0; time < 4; time++) expect((await post(collector.to, long)).status).toBe(204);
    await until(async () => (await collector.lines()).length === 2);
    expect(await collector.metric(reports('acme', 'spool'))).toBe(2);
    for (const name of await readdir(join(collector.spool, 'acme')))
      await rm(join(collector.spool, 'acme', name));
    await until(async () => {
      await post(collector.to, long);
      return (await collector.lines()).length > 0;
    }, 200);
  });

  it('answers as ever where it cannot be written, tells it once, and goes on when it can', async () => {
    await using collector = await collecting();
    // A file in the place of the folder: also for root there is no way in.
    await writeFile(join(collector.spool, 'acme'), '');
    for (let time = 0; time < 3; time++) {
      expect((await post(collector.to, violation())).status).toBe(204);
      await until(async () => (await collector.metric(reports('acme', 'spool'))) === time + 1);
    }
    expect(collector.said.filter(text => text.includes('cannot be written'))).toHaveLength(1);
    await rm(join(collector.spool, 'acme'));
    await post(collector.to, violation());
    await until(async () => (await linesIn(collector.spool)).length === 1);
  });

  it('keeps the usage of the day over a restart', async () => {
    await using collector = await collecting({}, { hosts: ['acme.example'] });
    const other = violation({ 'document-uri': 'https://other.example/' });
    await post(collector.to, other);
    await collector.collector.close();
    await using again = await collecting({ spool: collector.spool }, { hosts: ['acme.example'] });
    await post(again.to, other);
    await again.collector.close();
    expect((await again.lines()).map(({ usage }) => usage.rejected)).toEqual([1, 2]);
  });
});

const canMount = process.getuid?.() === 0 && process.platform === 'linux' && canMountHere();
if (!canMount)
  process.stderr.write(
    'skipped: a full disk needs a small one, which root alone can mount; none can be mounted here\n',
  );

function canMountHere(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
}

describe.skipIf(!canMount)('a disk of its own', () => {
  it('that is full drops reports, which is told and counted, breaks nothing, and takes them again', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'sightline-test-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
    try {
      await using collector = await collecting({ spool: disk });
      const long = violation({ 'script-sample': 'x'.repeat(40_000) });
      for (let time = 0; time < 12; time++) {
        expect((await post(collector.to, long)).status).toBe(204);
        const done = async () =>
          (await collector.metric(reports('acme', 'accepted'))) +
          (await collector.metric(reports('acme', 'spool')));
        await until(async () => (await done()) === time + 1);
      }
      await until(async () => (await collector.metric(reports('acme', 'spool'))) > 0);
      expect(collector.said.filter(text => text.includes('ENOSPC')).length).toBeGreaterThan(0);
      const folder = join(disk, 'acme');
      const names = await readdir(folder);
      // Nothing is left of what was not written whole.
      expect(names.filter(name => name.startsWith('.'))).toEqual([]);
      const accepted = await collector.metric(reports('acme', 'accepted'));
      expect((await collector.lines()).length).toBe(accepted);
      for (const name of names) await rm(join(folder, name));
      await post(collector.to, violation());
      await until(async () => (await collector.metric(reports('acme', 'accepted'))) === accepted + 1);
    } finally {
      spawnSync('umount', ['-l', disk]);
      await rm(disk, { recursive: true, force: true });
    }
  });
});

describe('a clock that jumps', () => {
  afterEach(() => vi.useRealTimers());

  it('loses no report, and fills no memory with days', async () => {
    await using collector = await collecting({ clientRate: 1 }, { hosts: ['acme.example'] });
    const start = Date.now();
    const other = violation({ 'document-uri': 'https://other.example/' });
    const days = [0, 40, -40, 3650, -3650, 1, 0];
    for (const day of days) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + day * 86_400_000 });
      for (const body of [violation(), other]) expect((await post(collector.to, body)).status).toBe(204);
    }
    await collector.collector.close();
    const lines = await collector.lines();
    expect(lines.filter(({ body }) => body)).toHaveLength(days.length);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    const usage = lines.flatMap(line => (line.usage ? [line.usage] : []));
    expect(usage.length).toBeLessThanOrEqual(3);
    const today = new Date(start).toISOString().slice(0, 10);
    expect(usage.find(({ date }) => date === today)).toMatchObject({ rejected: 1 });
  });
});
