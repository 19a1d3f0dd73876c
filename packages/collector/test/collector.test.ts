import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReportReader } from '../../../src/collect/reader.ts';
import { exchangeRaw, writeThenRead } from '../../../test/support/raw-http.ts';
import { until } from '../../../test/support/until.ts';
import { importBytes } from '../../importer/test/reports.ts';
import { linesIn, post, startTestCollector, type TestCollector, violation } from './collecting.ts';

const ALLOW = { 'access-control-allow-origin': '*' };

const reports = (account: string, outcome: string) =>
  `sightline_collect_reports_total{account="${account}",outcome="${outcome}"}`;

describe('a collector', () => {
  let collector: TestCollector & { to: string };
  /** The response to a request that stays incomplete. It is sent before all tests, since it takes seconds. */
  let lateResponse: Promise<string>;
  beforeAll(async () => {
    collector = await startTestCollector();
    const path = new URL(collector.to).pathname;
    const incomplete = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`;
    lateResponse = exchangeRaw(collector.url, incomplete);
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  it('returns an empty 204 response for a report and writes the report to the spool', async () => {
    const answer = await post(`${collector.to}/enforce`, violation());
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
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

  it('answers a CORS preflight request for JSON', async () => {
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
  /** Returns a report whose body is a string. */
  const within = (body: string) => JSON.stringify({ type: 'csp-violation', body });
  it.each<[number, string, string, RequestInit]>([
    [404, 'an unknown token', '/r/0000000000000000000000', { method: 'POST', body: violation() }],
    [404, 'an unknown path', '/report', { method: 'POST', body: violation() }],
    [404, 'an unknown kind', 'TOKEN/try', { method: 'POST', body: violation() }],
    [404, 'a longer path', 'TOKEN/report/more', { method: 'POST', body: violation() }],
    [405, 'an unsupported method', 'TOKEN', { method: 'GET' }],
    [405, 'PUT', 'TOKEN', { method: 'PUT', body: violation() }],
    [413, 'a body of more than 1 MiB', 'TOKEN', { method: 'POST', body: 'x'.repeat(1_048_577) }],
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
    [
      413,
      'more than 20,000 values',
      'TOKEN',
      { method: 'POST', body: violation({ x: Array(20_000).fill(0) }) },
    ],
    [400, 'no body', 'TOKEN', { method: 'POST' }],
    [400, 'a body that is not JSON', 'TOKEN', { method: 'POST', body: 'a=b' }],
    [400, 'a body without a report', 'TOKEN', { method: 'POST', body: '{"usage":{"type":"csp"}}' }],
    [400, 'a mail report', 'TOKEN', { method: 'POST', body: '{"report-id":"x","policies":[]}' }],
    [400, 'an empty list', 'TOKEN', { method: 'POST', body: '[]' }],
    [400, 'JSON that is nested too deeply', 'TOKEN', { method: 'POST', body: deep }],
    [400, 'a string body that is not JSON', 'TOKEN', { method: 'POST', body: within('{broken') }],
    [400, 'a string body that is nested too deeply', 'TOKEN', { method: 'POST', body: within(deepText) }],
    [
      204,
      'a report of a type that is not stored',
      'TOKEN',
      { method: 'POST', body: '{"expect-ct-report":{}}' },
    ],
    [204, 'an address with a query', 'TOKEN?x=1', { method: 'POST', body: '{"expect-ct-report":{}}' }],
    [204, 'a kind with a query', 'TOKEN/wizard?x=/1', { method: 'POST', body: '{"expect-ct-report":{}}' }],
    [
      204,
      'a body without encoding',
      'TOKEN',
      { method: 'POST', body: '{"expect-ct-report":{}}', headers: { 'content-encoding': 'identity' } },
    ],
    [404, 'a preflight request for an unknown path', '/report', { method: 'OPTIONS' }],
    [405, 'a report to the health check', '/healthz', { method: 'POST', body: violation() }],
    [200, 'a health check', '/healthz', { method: 'GET' }],
  ])('returns %i for %s', async (status, _, path, init) => {
    const url = path.startsWith('TOKEN') ? path.replace('TOKEN', collector.to) : collector.url + path;
    const answer = await fetch(url, init);
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text: '' });
    expect(Object.fromEntries(answer.headers)).toMatchObject(ALLOW);
  });

  it('names the supported methods to a client that uses another one', async () => {
    const { headers } = await fetch(collector.to, { method: 'DELETE' });
    expect(headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('accepts a chunked body up to the size limit', async () => {
    const path = new URL(collector.to).pathname;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunks = (text: string, length = 7) =>
      text.replace(new RegExp(`.{1,${length}}`, 'gs'), part => `${part.length.toString(16)}\r\n${part}\r\n`);
    const marked = violation({ 'script-sample': 'in pieces' });
    expect(await exchangeRaw(collector.url, `${head}${chunks(marked)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 204 /);
    expect(await exchangeRaw(collector.url, head + chunks('x'.repeat(1_100_000), 1000))).toMatch(
      /^HTTP\/1.1 413 /,
    );
    await until(async () => (await collector.lines()).some(({ body }) => JSON.stringify(body) === marked));
  });

  it('returns 413 to a client that is still sending, without resetting the connection', async () => {
    const path = new URL(collector.to).pathname;
    const body = 'x'.repeat(8_000_000);
    for (const head of ['Content-Length: 8000000\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n7a1200\r\n']) {
      const request = `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}${body}`;
      expect(await writeThenRead(collector.url, request)).toMatch(/^HTTP\/1.1 413 .*\r\n\r\n$/s);
    }
  });

  it('returns 408 for a request that stays incomplete', async () => {
    expect(await lateResponse).toMatch(
      /^HTTP\/1.1 408 .*Access-Control-Allow-Origin: \*\r\n.*Connection: close\r\n/s,
    );
  });

  it.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    ['a header that never ends', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
    [
      'two content lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
  ])('rejects %s with an empty response', async (_, request, status) => {
    const answer = await exchangeRaw(collector.url, request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Access-Control-Allow-Origin: \\*\r\n`, 's'));
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  it('writes exactly one line per body, even if its content imitates spool lines', async () => {
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

  it('truncates user agents to 1,024 characters', async () => {
    await post(`${collector.to}/report`, violation(), { 'user-agent': 'long'.repeat(1000) });
    const line = await until(
      async () => (await collector.lines()).find(({ kind }) => kind === 'report') ?? false,
    );
    expect(line.user_agent).toHaveLength(1024);
  });

  it('accepts a list of reports and counts those of unknown types', async () => {
    const type = (name: string) => ({ type: name, age: 1, url: 'https://list.example/', body: { id: 'x' } });
    const before = await collector.metric(reports('acme', 'unknown'));
    const unstored = await collector.metric(reports('acme', 'unstored'));
    const body = JSON.stringify([type('deprecation'), { no: 'report' }, type('<no type>')]);
    expect((await post(collector.to, body)).status).toBe(204);
    const line = await until(
      async () => (await collector.lines()).find(({ body }) => body.type === 'deprecation') ?? false,
    );
    expect(line.body).toEqual(type('deprecation'));
    expect(await collector.metric(reports('acme', 'unknown'))).toBe(before + 1);
    expect(await collector.metric(reports('acme', 'unstored'))).toBe(unstored + 1);
  });

  it('stores a whole batch from Chromium: one hundred reports, each with the complete policy', async () => {
    await using collector = await startTestCollector();
    const originalPolicy = `img-src ${Array.from({ length: 200 }, (_, at) => `https://host-${at}.partner.example`).join(' ')}`;
    const batch = Array.from({ length: 100 }, (_, at) => ({
      type: 'csp-violation',
      age: at,
      url: 'https://acme.example/p',
      user_agent: 'Mozilla/5.0 Test',
      body: {
        documentURL: 'https://acme.example/p',
        blockedURL: `https://cdn.example/${at}.png`,
        effectiveDirective: 'img-src',
        originalPolicy,
      },
    }));
    expect((await post(collector.to, JSON.stringify(batch))).status).toBe(204);
    const [line] = await until(async () => {
      const lines = await collector.lines();
      return lines.length > 0 && lines;
    });
    expect(line!.body).toEqual(batch);
    const { records, skipped } = await importBytes(`${JSON.stringify(line)}\n`, { format: 'collected' });
    expect(skipped).toEqual([]);
    expect(records.map(({ blockedUri }) => blockedUri)).toEqual(batch.map(({ body }) => body.blockedURL));
  });

  it('counts rejected reports per account and reason', async () => {
    await using collector = await startTestCollector();
    const large = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.alloc(1_048_577, 0x20));
        controller.close();
      },
    });
    const chunked = { method: 'POST', body: large, duplex: 'half' } as RequestInit;
    expect((await fetch(collector.to, chunked)).status).toBe(413);
    expect((await post(collector.to, ' '.repeat(1_048_577))).status).toBe(413);
    expect((await post(collector.to, `[${Array(101).fill(violation())}]`)).status).toBe(413);
    for (const body of ['', '{', '[]', deep]) expect((await post(collector.to, body)).status).toBe(400);
    for (const body of ['1', 'null', '[{},{}]']) expect((await post(collector.to, body)).status).toBe(400);
    expect(await collector.metric(reports('acme', 'tooLarge'))).toBe(103);
    expect(await collector.metric(reports('acme', 'malformed'))).toBe(4);
    expect(await collector.metric(reports('acme', 'unknown'))).toBe(4);
  });

  it('accepts bodies up to the nesting depth that the importer reads, and rejects deeper ones', async () => {
    // The report and its body add two levels.
    const nested = (levels: number) =>
      violation({ x: JSON.parse(`${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}`) });
    expect((await post(collector.to, nested(createReportReader().maxDepth))).status).toBe(204);
    expect((await post(collector.to, nested(createReportReader().maxDepth + 1))).status).toBe(400);
  });

  it('accepts up to one hundred connections per client, and another once one has ended', async () => {
    await using collector = await startTestCollector({ proxies: new BlockList() });
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

  it('answers health checks by GET and HEAD', async () => {
    await using collector = await startTestCollector();
    for (const method of ['GET', 'HEAD'])
      expect((await fetch(`${collector.url}/healthz`, { method })).status).toBe(200);
  });

  it('counts no values within a text that contains quotes', async () => {
    await using collector = await startTestCollector();
    const body = violation({ 'script-sample': `"${','.repeat(30_000)}` });
    expect((await post(collector.to, body)).status).toBe(204);
  });

  it('accepts more than one hundred connections from a listed proxy', async () => {
    await using collector = await startTestCollector();
    const { port, hostname } = new URL(collector.url);
    const held = Array.from({ length: 110 }, () => connect(Number(port), hostname));
    for (const socket of held) socket.on('error', () => {});
    await Promise.all(held.map(socket => once(socket, 'connect')));
    const answer = await post(collector.to, violation()).catch(() => undefined);
    for (const socket of held) socket.destroy();
    expect(answer?.status).toBe(204);
  });
});

describe('the host filter', () => {
  it.each([
    ['a srcdoc frame', { 'document-uri': 'about', referrer: 'https://acme.example/' }, 1],
    ['a srcdoc frame without a referrer', { 'document-uri': 'about:srcdoc', referrer: '' }, 1],
    ['a srcdoc frame of another site', { 'document-uri': 'about', referrer: 'https://other.example/' }, 0],
    ['a blob frame', { 'document-uri': 'blob:https://acme.example/6f1a', referrer: '' }, 1],
    [
      'a blob frame with a truncated address',
      { 'document-uri': 'blob', referrer: 'https://shop.acme.example/' },
      1,
    ],
    ['a blob of another site', { 'document-uri': 'blob:https://other.example/6f1a' }, 0],
    ['a file', { 'document-uri': 'file:///tmp/x.html' }, 0],
  ])('determines the site of %s', async (_, body, taken) => {
    await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
    expect((await post(collector.to, violation(body))).status).toBe(204);
    await collector.collector.close();
    expect(await collector.lines()).toHaveLength(taken + (taken ? 0 : 1));
    expect((await collector.lines()).filter(({ usage }) => !usage)).toHaveLength(taken);
  });

  it('drops and counts reports from pages of other hosts', async () => {
    await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
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
  it('stores a share of the reports, records the rate in each, and counts the others', async () => {
    await using collector = await startTestCollector({}, { sampling: { csp: 50, wizard: 1 } });
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
    // Both limits are ten standard deviations from the expected number.
    expect(csp.length).toBeGreaterThan(85);
    expect(csp.length).toBeLessThan(275);
    expect(new Set(csp.map(({ rate }) => rate))).toEqual(new Set([0.5]));
    expect(lines.filter(({ body }) => body?.type === 'network-error')).toHaveLength(4);
    expect(lines.at(-1)!.usage).toMatchObject({ type: 'csp', sampled: 360 - csp.length, rejected: 0 });
  });

  it('uses a separate share for reports of the wizard', async () => {
    await using collector = await startTestCollector({}, { sampling: { wizard: 1 } });
    const body = `[${Array(100).fill(violation())}]`;
    await post(`${collector.to}/wizard`, body);
    await post(`${collector.to}/report`, body);
    await collector.collector.close();
    const lines = await collector.lines();
    expect(lines.find(({ kind }) => kind === 'report')!.body).toHaveLength(100);
    expect(lines.filter(({ kind }) => kind === 'wizard').length).toBeLessThan(30);
  });
});

describe('rate limiting', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('limits clients per network and still returns 204', async () => {
    await using collector = await startTestCollector({ clientRate: 1 });
    const sent = async (times: number, address: string) => {
      for (let time = 0; time < times; time++)
        expect((await post(collector.to, violation(), from(address))).status).toBe(204);
    };
    await sent(60, '2001:db8:1:2:3:4:5:6');
    await sent(60, '2001:0DB8:0001:2::9, 127.0.0.1');
    const unread = await collector.metric(reports('acme', 'unread'));
    // The rate limit allows a burst of 100 requests, and then one per second.
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThanOrEqual(20);
    await sent(50, '2001:db8:1:3::1');
    await sent(50, '192.0.2.1');
    expect(await collector.metric(reports('acme', 'unread'))).toBe(unread);
  });

  it('trusts forwarded addresses only from listed proxies', async () => {
    await using collector = await startTestCollector({ clientRate: 1, proxies: new BlockList() });
    for (let time = 0; time < 110; time++) await post(collector.to, violation(), from(`192.0.2.${time}`));
    expect(await collector.metric(reports('acme', 'unread'))).toBeGreaterThan(0);
  });

  it('uses the last hop that a listed proxy reports, not the hops that a client adds', async () => {
    await using collector = await startTestCollector({ clientRate: 1 });
    for (let time = 0; time < 130; time++)
      await post(collector.to, violation(), from(`198.51.100.${time}, 192.0.2.1, 127.0.0.1`));
    expect(await collector.metric(reports('acme', 'unread'))).toBeGreaterThan(0);
    // Another client is not limited, although the first one has claimed its address.
    const before = await collector.metric(reports('acme', 'unread'));
    await post(collector.to, violation(), from('198.51.100.1'));
    expect(await collector.metric(reports('acme', 'unread'))).toBe(before);
  });

  it('closes the connection after wrong tokens, once the rate is exceeded', async () => {
    await using collector = await startTestCollector({ clientRate: 1 });
    const guess = () => post(`${collector.url}/r/0000000000000000000000`, '{}');
    expect((await guess()).headers.get('connection')).toBe('keep-alive');
    for (let time = 0; time < 100; time++) await guess();
    // If the machine pauses for a second, one more guess is allowed.
    await until(async () => (await guess()).headers.get('connection') === 'close', 0);
  });

  it('limits one account without affecting another', async () => {
    await using collector = await startTestCollector({ accountRate: 1 });
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

  it.each([
    [1, 100],
    [20, 200],
  ])(
    'allows %i reports per second of an account, and bursts of ten seconds or a hundred reports',
    async (accountRate, burst) => {
      await using collector = await startTestCollector({ accountRate });
      const body = `[${Array(100).fill(violation())}]`;
      for (let sent = 0; sent <= burst; sent += 100) await post(collector.to, body);
      await collector.collector.close();
      expect(await collector.metric(reports('acme', 'accepted'))).toBe(burst);
      expect(await collector.metric(reports('acme', 'rate'))).toBe(100);
    },
  );

  it('writes no client address to the log, the spool or the metrics', async () => {
    await using collector = await startTestCollector({ clientRate: 1 });
    for (let time = 0; time < 120; time++) await post(collector.to, violation(), from('203.0.113.77'));
    await collector.collector.close();
    const all = [
      ...collector.said,
      JSON.stringify(await collector.lines()),
      await collector.collector.metrics.print(),
    ];
    expect(await collector.lines()).not.toEqual([]);
    expect(await collector.metric(reports('acme', 'unread'))).toBeGreaterThan(0);
    expect(all.join('\n')).not.toMatch(/203\.0\.113|127\.0\.0\.1/);
  });
});

describe('tokens', () => {
  it('become valid when added to the file and invalid when removed', async () => {
    await using collector = await startTestCollector();
    const added = await collector.token({ account: 'later' });
    await until(async () => (await post(added, violation())).status === 204);
    expect((await post(collector.to, violation())).status).toBe(204);
    await writeFile(collector.tokens, '');
    await until(async () => (await post(added, violation())).status === 404);
    expect((await post(collector.to, violation())).status).toBe(404);
  });

  it('stay valid and log a warning while the file is incomplete or missing', async () => {
    await using collector = await startTestCollector();
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

  it('lead to spool files that only the collector can write and its group can read', async () => {
    const before = process.umask(0);
    try {
      await using collector = await startTestCollector();
      await post(collector.to, violation());
      await collector.collector.close();
      const folder = join(collector.spool, 'acme');
      const modes = await Promise.all(
        [collector.spool, folder, ...(await readdir(folder)).map(name => join(folder, name))].map(
          async path => ((await stat(path)).mode & 0o777).toString(8),
        ),
      );
      expect(modes).toEqual(['770', '770', '640']);
    } finally {
      process.umask(before);
    }
  });

  it('are stored as digests and require account names that are safe as folder names', async () => {
    await using collector = await startTestCollector();
    expect(await readFile(collector.tokens, 'utf8')).not.toContain(collector.to.split('/').at(-1));
    expect((await stat(collector.tokens)).mode & 0o777).toBe(0o600);
    for (const account of ['../up', 'a/b', '.hidden', '', 'a\0b', 'x'.repeat(256)])
      await expect(collector.token({ account })).rejects.toThrow('usable as the name of a folder');
    await expect(collector.token({ hosts: ['https://acme.example'] })).rejects.toThrow('must be host names');
    await expect(collector.token({ hosts: Array(101).fill('a.example') })).rejects.toThrow('hosts');
    for (const csp of [0, 101])
      await expect(collector.token({ sampling: { csp } })).rejects.toThrow('sampling');
    await expect(collector.token({ sampling: { csp: 1.5 } })).rejects.toThrow('sampling must be percents');
    await collector.token({ hosts: ['Www.ACME.example'], sampling: { csp: 1, nel: 100 } });
    const [, line = ''] = (await readFile(collector.tokens, 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ hosts: ['www.acme.example'], sampling: { csp: 1, nel: 100 } });
  });
});

describe('the spool', () => {
  it('shows only complete files, and removes incomplete ones at the next start', async () => {
    await using collector = await startTestCollector();
    await post(collector.to, violation());
    await until(async () => (await collector.lines()).length === 1);
    const folder = join(collector.spool, 'acme');
    await writeFile(join(folder, '.1-dead-0.ndjson.part'), '{"half');
    await collector.collector.close();
    await using restarted = await startTestCollector({ spool: collector.spool });
    expect((await readdir(folder)).filter(name => name.endsWith('.part'))).toEqual([]);
    await post(restarted.to, violation());
    await until(async () => (await restarted.lines()).length === 2);
    const ids = (await restarted.lines()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('starts a new file after each MiB and writes only whole lines', { tags: 'slow' }, async () => {
    await using collector = await startTestCollector({ every: 3_600_000 });
    const marked = (mark: number) => violation({ 'script-sample': `${mark} ${'x'.repeat(60_000)}` });
    for (let mark = 0; mark < 90; mark++) await post(collector.to, marked(mark));
    await until(async () => (await collector.lines()).length > 60);
    await collector.collector.close();
    const bodies = (await collector.lines()).map(({ body }) => JSON.stringify(body));
    expect(bodies).toEqual(Array.from({ length: 90 }, (_, mark) => marked(mark)));
    expect((await readdir(join(collector.spool, 'acme'))).length).toBe(5);
  });

  it('logs a write failure once, still returns 204, and recovers when it is writable again', async () => {
    await using collector = await startTestCollector();
    // A file replaces the folder, so that not even root can write to it.
    await writeFile(join(collector.spool, 'acme'), '');
    for (let time = 0; time < 3; time++) {
      expect((await post(collector.to, violation())).status).toBe(204);
      await until(async () => (await collector.metric(reports('acme', 'spool'))) === time + 1);
    }
    expect(collector.said.filter(text => text.includes('cannot be written'))).toHaveLength(1);
    await rm(join(collector.spool, 'acme'));
    await post(collector.to, violation());
    await until(async () => (await linesIn(collector.spool)).length === 1);
    await rm(join(collector.spool, 'acme'), { recursive: true });
    await writeFile(join(collector.spool, 'acme'), '');
    await post(collector.to, violation());
    await until(async () => (await collector.metric(reports('acme', 'spool'))) === 4);
    expect(collector.said.filter(text => text.includes('cannot be written'))).toHaveLength(2);
  });

  // This and the next tests run at the same time, because a full spool is scanned only every few seconds.
  it.concurrent('drops reports once it is full, until the importer has made room', { tags: 'slow' }, async ({
    expect,
  }) => {
    await using collector = await startTestCollector({ mostSpooled: 20_000 });
    const long = violation({ 'script-sample': 'x'.repeat(7500) });
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

  it.concurrent.for<[string, (spool: string) => Promise<unknown>, (spool: string) => Promise<unknown>]>([
    [
      'its folder is missing and cannot be created',
      // Renamed, and again if the collector creates it in between, because a check can write to the folder meanwhile.
      async spool => {
        for (let time = 0; (await stat(spool)).isDirectory(); time++) {
          await rename(spool, `${spool}.${time}`);
          await writeFile(spool, '').catch(() => {});
        }
      },
      spool => rm(spool),
    ],
    [
      'it is full',
      async spool => {
        await mkdir(join(spool, 'other'), { recursive: true });
        await writeFile(join(spool, 'other', '1.ndjson'), 'x'.repeat(99_000));
      },
      spool => rm(join(spool, 'other', '1.ndjson')),
    ],
  ])('fails the health check while %s, and recovers afterwards', async ([, harm, mend], { expect }) => {
    await using collector = await startTestCollector({ mostSpooled: 100_000 });
    const health = async () => (await fetch(`${collector.url}/healthz`)).status;
    expect(await health()).toBe(200);
    await harm(collector.spool);
    // The spool is scanned every minute, and when it appears to be full.
    const large = violation({ 'script-sample': 'x'.repeat(20_000) });
    await until(async () => {
      await post(collector.to, large);
      return (await health()) === 503;
    }, 100);
    expect(collector.said.filter(text => text.includes('the spool is not writable'))).toHaveLength(1);
    await mend(collector.spool);
    await until(async () => (await health()) === 200, 100);
    await post(collector.to, violation());
    await until(async () => (await linesIn(collector.spool)).length > 0);
    expect((await readdir(collector.spool)).filter(name => name.endsWith('.part'))).toEqual([]);
  });

  it('recreates its folder after removal without losing a report', async () => {
    await using collector = await startTestCollector();
    for (let time = 0; time < 3; time++) {
      // Renamed, because the collector can write to the folder while its files are removed one by one.
      await rename(collector.spool, `${collector.spool}.${time}`);
      expect((await post(collector.to, violation())).status).toBe(204);
      await until(async () => (await linesIn(collector.spool)).length === 1);
    }
    expect(await collector.metric(reports('acme', 'spool'))).toBe(0);
  });

  it('passes what the reader has saved to the reader of the next process', async () => {
    const restored: unknown[] = [];
    const reader = {
      ...createReportReader(),
      save: () => ({ types: 7 }),
      restore: (saved: unknown) => void restored.push(saved),
    };
    await using collector = await startTestCollector({ reader });
    await collector.collector.close();
    expect(restored).toEqual([]);
    await using restarted = await startTestCollector({ reader, spool: collector.spool });
    expect(restored).toEqual([{ types: 7 }]);
    await restarted.collector.close();
    await writeFile(join(restarted.spool, '.usage.json'), '{"usage":');
    await using broken = await startTestCollector({ reader, spool: collector.spool });
    expect(restored).toHaveLength(1);
    expect((await post(broken.to, violation())).status).toBe(204);
  });

  it('restores the usage of the day after a restart', async () => {
    await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
    const other = violation({ 'document-uri': 'https://other.example/' });
    await post(collector.to, other);
    await collector.collector.close();
    await using restarted = await startTestCollector({ spool: collector.spool }, { hosts: ['acme.example'] });
    await post(restarted.to, other);
    await restarted.collector.close();
    expect((await restarted.lines()).map(({ usage }) => usage.rejected)).toEqual([1, 2]);
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

describe.skipIf(!canMount)('a full disk', () => {
  it('makes the collector drop, log and count reports until there is space again', {
    tags: 'slow',
  }, async () => {
    const disk = await mkdtemp(join(tmpdir(), 'sightline-test-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
    try {
      await using collector = await startTestCollector({ spool: disk });
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
      const health = async () => (await fetch(`${collector.url}/healthz`)).status;
      await until(async () => (await health()) === 503, 100);
      // No incomplete files remain.
      expect(names.filter(name => name.startsWith('.'))).toEqual([]);
      const accepted = await collector.metric(reports('acme', 'accepted'));
      expect((await collector.lines()).length).toBe(accepted);
      for (const name of names) await rm(join(folder, name));
      await until(async () => (await health()) === 200, 100);
      spawnSync('mount', ['-o', 'remount,ro', disk]);
      await until(async () => (await health()) === 503, 100);
      spawnSync('mount', ['-o', 'remount,rw', disk]);
      await until(async () => (await health()) === 200, 100);
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

  it('neither loses reports nor accumulates usage of past days', async () => {
    await using collector = await startTestCollector({ clientRate: 1 }, { hosts: ['acme.example'] });
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
