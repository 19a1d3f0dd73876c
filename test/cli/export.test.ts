import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyReport } from '../support/copied-reports.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { freePort } from '../support/network.ts';
import { onTerminal } from '../support/screen.ts';
import { startService, type TestService } from '../support/service.ts';
import { exitCode, sightlineHere, sightlineLasting, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

let service: TestService;
let key: string;
let folder: string;
const servers: Server[] = [];

/** The ids of reports that are large enough that no page contains all of them. */
const LARGE = [...Array.from({ length: 9 }, (_, index) => `copy-${index}`), 'large'];

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(
    report('ada', 'intervention', 'large', { raw: `large,"${'x'.repeat(1_000_000)}` }),
    report('ada', 'csp', 'one', { uri: 'https://a.example/' }),
    report('ada', 'csp', 'two', { uri: 'https://b.example/' }),
  );
  await copyReport(service.databaseUrl, { accountId: 'ada', type: 'intervention', count: LARGE.length - 1 });
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-export-'));
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await service.close();
  await rm(folder, { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `file-${++files}`);

const run = (args: readonly string[], url = service.url, env = { SIGHTLINE_KEY: key }) =>
  sightlineHere(['export', '--url', url, '--retry', '1ms', ...args], env);

async function exported(args: readonly string[], url?: string): Promise<string> {
  const output = newFile();
  const { code, stdout, stderr } = await run([...args, '--output', output], url);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: expect.any(String) });
  return readFile(output, 'utf8');
}

const toIds = (lines: string): string[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line).id);

/** A server between the command and the service. */
async function between(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Fetches the service's response without a content encoding, which `fetch` would decode. */
const forwarded = (target: string, authorization = '') =>
  fetch(service.url + target, { headers: { authorization, 'accept-encoding': 'identity' } });

describe('sightline export', () => {
  it('writes all pages to a file that only the owner can read', { tags: 'slow' }, async () => {
    const output = newFile();
    expect(await run(['intervention', '--output', output])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(toIds(await readFile(output, 'utf8'))).toEqual(LARGE);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
  });

  it('shows its progress on a terminal, and erases it before a sentence', async () => {
    const args = ['export', 'csp', '--url', service.url, '--retry', '1ms', '--output'];
    const env = { SIGHTLINE_KEY: key };
    const done = await onTerminal(written => sightlineHere([...args, newFile()], env, written));
    expect([done.code, done.lines]).toEqual([0, []]);
    expect(done.written).toMatch(/^\r0\.0 MB, \d+\.\d MB a second/);
    const full = await onTerminal(written => sightlineHere([...args, '/dev/full'], env, written));
    expect([full.code, full.lines]).toEqual([1, [expect.stringMatching(/^\/dev\/full cannot be written/)]]);
  });

  it('merges many pages into one JSON array or one CSV table with one header', { tags: 'slow' }, async () => {
    const list = JSON.parse(await exported(['intervention', '--format', 'json']));
    expect(list.map(({ id }: { id: string }) => id)).toEqual(LARGE);
    const table = (await exported(['intervention', '--format', 'csv'])).split('\r\n');
    expect(table.map(row => row.split(',', 2).join())).toEqual([
      'id,type',
      ...LARGE.map(id => `${id},intervention`),
      '',
    ]);
    expect(JSON.parse(await exported(['nel', '--format', 'json']))).toEqual([]);
    expect(await exported(['nel', '--format', 'csv'])).toMatch(/^id,type,.*\r\n$/);
  });

  it('supports filters, exclusions and a period', async () => {
    expect(toIds(await exported(['csp', '--where', 'hostnames=a.example,b.example']))).toEqual([
      'one',
      'two',
    ]);
    expect(toIds(await exported(['csp', '--not', 'hostnames=b.example']))).toEqual(['one']);
    expect(await exported(['csp', '--to', '2026-05-01'])).toBe('');
    expect(await exported(['audit-log'])).toBe('');
    expect(await exported(['findings', '--from', '2026-05-01'])).toBe('');
  });

  it('resumes at the saved cursor and appends to the file', async () => {
    const [output, cursor] = [newFile(), newFile()];
    const args = ['deprecation', '--output', output, '--cursor', cursor];
    await service.load(report('ada', 'deprecation', 'first'));
    expect((await run(args)).code).toBe(0);
    await service.load(report('ada', 'deprecation', 'second'));
    // The state after a run was killed while writing.
    await appendFile(output, `{"id":"${'half'.repeat(50_000)}`);
    expect((await run(args)).code).toBe(0);
    expect(toIds(await readFile(output, 'utf8'))).toEqual(['first', 'second']);
    expect((await stat(cursor)).mode & 0o777).toBe(0o600);
  });

  it('starts with future records if --new is given and no cursor is saved', async () => {
    const [output, cursor] = [newFile(), newFile()];
    const args = ['coop', '--new', '--output', output, '--cursor', cursor];
    await service.load(report('ada', 'coop', 'old'));
    await run(args);
    await service.load(report('ada', 'coop', 'new'));
    await run(args);
    expect(toIds(await readFile(output, 'utf8'))).toEqual(['new']);
  });

  it('reports a gap', async () => {
    const cursor = newFile();
    await run(['coep', '--new', '--output', newFile(), '--cursor', cursor]);
    await service.load(report('ada', 'coep', 'old', { date: '2026-01-01T00:00:00Z' }));
    const { stderr } = await run(['coep', '--output', newFile(), '--cursor', cursor]);
    expect(stderr).toContain('there is a gap');
  });

  it('follows new records until it is stopped', { tags: 'slow' }, async () => {
    const child = startSightline(['export', 'tls_rpt', '--url', service.url, '--follow', '--every', '50ms'], {
      env: { SIGHTLINE_KEY: key },
    });
    const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
    for (const id of ['t-1', 't-2']) {
      await service.load(report('ada', 'tls_rpt', id));
      expect(JSON.parse((await lines.next()).value)).toMatchObject({ id });
    }
    child.kill('SIGTERM');
    expect(await Promise.all([exitCode(child), text(child.stderr!)])).toEqual([0, '']);
  });

  it('fails when it is interrupted before the export is complete, and writes no file', async () => {
    let requests = 0;
    const url = await between(() => void requests++);
    const output = newFile();
    const args = ['export', 'csp', '--url', url, '--output', output];
    const running = sightlineLasting(args, { SIGHTLINE_KEY: key });
    await until(() => requests > 0);
    expect(await running.end()).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' });
    expect(existsSync(output)).toBe(false);
  });

  it('exits silently when the reader closes the pipe', { tags: 'slow' }, async () => {
    const child = startSightline(['export', 'intervention', '--url', service.url], {
      env: { SIGHTLINE_KEY: key },
    });
    await once(child.stdout!, 'readable');
    child.stdout!.destroy();
    expect(await Promise.all([exitCode(child), text(child.stderr!)])).toEqual([0, '']);
  });

  it.runIf(existsSync('/dev/full'))('reports a full disk', async () => {
    const { code, stderr } = await run(['csp', '--output', '/dev/full']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/)]);
  });

  it('leaves no file behind if it fails', async () => {
    const output = newFile();
    const url = await between((_, response) => response.writeHead(404).end());
    expect((await run(['csp', '--output', output], url)).code).toBe(1);
    expect([existsSync(output), existsSync(`${output}.partial`)]).toEqual([false, false]);
  });
});

describe('several pages', () => {
  const PAGES = {
    ndjson: ['{"id":"1"}\n{"id":"2"}\n', '', '{"id":"3"}\n'],
    csv: ['id\r\n1\r\n2\r\n', 'id\r\n', 'id\r\n3\r\n'],
  };

  /** Serves the pages, and notes the formats and cursors of the requests. */
  async function servePages(asked: string[]): Promise<string> {
    return between(({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://service.example');
      const [format, after] = ['format', 'after'].map(name => searchParams.get(name) ?? '');
      asked.push(`${format} ${after}`);
      const at = Math.min(2, Number(after!.slice(1)));
      response.setHeader('sightline-cursor', `c${at + 1}`);
      if (at === 2) response.setHeader('retry-after', '60');
      response.end(after === 'c3' ? '' : PAGES[format as 'csv'][at]);
    });
  }

  it.each([
    ['ndjson', 'ndjson', '{"id":"1"}\n{"id":"2"}\n{"id":"3"}\n'],
    ['json', 'ndjson', '[\n{"id":"1"},\n{"id":"2"},\n{"id":"3"}\n]\n'],
    ['csv', 'csv', 'id\r\n1\r\n2\r\n3\r\n'],
  ])('are one file in the form %s', async (format, requested, content) => {
    const asked: string[] = [];
    expect(await exported(['csp', '--format', format], await servePages(asked))).toBe(content);
    expect(asked).toEqual(['', 'c1', 'c2'].map(after => `${requested} ${after}`));
  });

  it('are followed by the next ones, until the command is stopped', async () => {
    const [output, cursor, asked] = [newFile(), newFile(), [] as string[]];
    const url = await servePages(asked);
    await writeFile(cursor, 'c1\n');
    await writeFile(output, 'before\n{"id":');
    const args = ['export', 'csp', '--url', url, '--output', output, '--cursor', cursor];
    const running = sightlineLasting([...args, '--follow', '--every', '1ms'], { SIGHTLINE_KEY: key });
    await until(() => asked.length > 4);
    expect(await running.end()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(asked.slice(0, 4)).toEqual(['c1', 'c2', 'c3', 'c3'].map(after => `ndjson ${after}`));
    expect(await readFile(output, 'utf8')).toBe('before\n{"id":"3"}\n');
    expect(await readFile(cursor, 'utf8')).toBe('c3\n');
  });
});

describe('a failure between service and command', () => {
  it('is retried seven times, and said once before the last one', async () => {
    let requests = 0;
    const url = await between((_, response) => {
      requests++;
      response.writeHead(503, { 'retry-after': '0' }).end('{"error":"Busy"}');
    });
    const { code, stderr } = await run(['csp', '--output', newFile()], url);
    expect([code, requests]).toEqual([1, 8]);
    const problem = 'The service answers HTTP 503 Service Unavailable. Trying again.';
    expect(stderr).toBe(`${problem}\nThe service responded with 503: Busy\n`);
  });

  it('retries a broken connection without losing a record', { tags: 'slow' }, async () => {
    const requested: string[] = [];
    const broken: string[] = [];
    const url = await between(async ({ url: target = '', headers }, response) => {
      const answer = await forwarded(target, headers.authorization);
      const body = Buffer.from(await answer.arrayBuffer());
      const isRepeated = requested.includes(target);
      requested.push(target);
      response.setHeaders(answer.headers);
      // The headers are all there is to an empty page, so it cannot be truncated.
      if (isRepeated || body.length === 0) return void response.end(body);
      broken.push(target);
      response.write(body.subarray(0, body.length / 2));
      setImmediate(() => response.destroy());
    });
    expect(toIds(await exported(['intervention'], url))).toEqual(LARGE);
    expect(broken.length).toBeGreaterThan(0);
    expect(requested.filter(target => broken.includes(target))).toHaveLength(2 * broken.length);
  });

  it('retries while the service is unavailable or busy', async () => {
    const failures = [503, 429, 500];
    const url = await between(async ({ url: target = '', headers }, response) => {
      const status = failures.shift();
      if (status) return void response.writeHead(status, { 'retry-after': '0' }).end('{"error":"Busy"}');
      const answer = await forwarded(target, headers.authorization);
      response.setHeaders(answer.headers);
      response.end(await answer.text());
    });
    const output = newFile();
    const { code, stderr } = await run(['csp', '--output', output], url);
    expect([code, stderr]).toEqual([0, 'The service answers HTTP 503 Service Unavailable. Trying again.\n']);
    expect(toIds(await readFile(output, 'utf8'))).toEqual(['one', 'two']);
  });

  it('is reported if the service stays unavailable', async () => {
    const port = await freePort();
    const { code, stderr } = await run(['csp', '--output', newFile()], `http://127.0.0.1:${port}`);
    const problem = `http://127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`;
    expect([code, stderr]).toEqual([1, `${problem}. Trying again.\n${problem}\n`]);
  });

  it('never sends the key to the target of a redirect', async () => {
    let isRequested = false;
    const elsewhere = await between((_, response) => {
      isRequested = true;
      response.end();
    });
    const url = await between((_, response) => response.writeHead(302, { location: elsewhere }).end());
    const { code, stderr } = await run(['csp', '--output', newFile()], url);
    expect([code, stderr, isRequested]).toEqual([
      1,
      `The service redirects to ${elsewhere}: use that URL (HTTP 302 Found)\n`,
      false,
    ]);
  });

  it('is printed without control characters', async () => {
    const url = await between((_, response) =>
      response.writeHead(400).end('{"error":"\\u001b[31mred\\nline"}'),
    );
    const { stderr } = await run(['csp', '--output', newFile()], url);
    expect(stderr).toBe('The service responded with 400: \u{FFFD}[31mred\u{FFFD}line\n');
  });
});

describe('incorrect usage of export', () => {
  it.each([
    [['cps'], /allowed choices are csp, /i],
    [['csp', '--format', 'xml'], /Allowed choices are ndjson, csv, json/],
    [['csp', '--format', 'csv', '--follow'], /--format csv is for whole files/],
    [['csp', '--format', 'json', '--cursor', 'file'], /--format json is for whole files/],
    [['csp', '--every', '5s'], /--every requires --follow/],
    [['csp', '--where', 'nelType=x'], /csp has no filter nelType, only /],
    [['audit-log', '--not', 'browser=x'], /audit-log has no filters/],
    [['csp', '--where', 'browser'], /Give it as browser=Firefox/],
    [['csp', '--retry', 'soon'], /Give a duration/],
    [['csp', '--url', 'reports.example.com'], /Give it as https:/],
    [['csp', '--url', 'https://svc_d_key@reports.example.com'], /without a key/],
  ])('is rejected: %j', async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(reason);
  });

  it('is rejected: a missing key, an internal token and an unknown key', async () => {
    const requested = (SIGHTLINE_KEY: string) =>
      run(['csp', '--output', newFile()], service.url, { SIGHTLINE_KEY });
    expect((await requested('')).stderr).toMatch(/^SIGHTLINE_KEY is not set/);
    expect((await requested('svc_i_x')).stderr).toContain('SIGHTLINE_KEY must be a key of an account');
    const { code, stderr } = await requested('svc_d_nothing');
    expect([code, stderr]).toEqual([1, 'The service responded with 401: Unauthorized\n']);
  });

  it('is rejected: a value that the service refuses', async () => {
    const { code, stderr } = await run(['csp', '--from', 'yesterday', '--output', newFile()]);
    expect([code, stderr]).toEqual([
      1,
      'The service responded with 400: Invalid value for parameter: from\n',
    ]);
  });

  it('is rejected: a cursor of another export, and a file without a cursor', async () => {
    const [cursor, odd] = [newFile(), newFile()];
    await run(['csp', '--output', newFile(), '--cursor', cursor]);
    const other = await run(['nel', '--output', newFile(), '--cursor', cursor]);
    expect(other.stderr).toContain('responded with 400: Invalid value for parameter: after');
    await writeFile(odd, 'what is this?\n');
    const { code, stderr } = await run(['csp', '--output', newFile(), '--cursor', odd]);
    expect([code, stderr]).toEqual([1, `${odd} does not contain a cursor: remove it to start again\n`]);
  });

  it('keeps the saved cursor if its records cannot be written', async () => {
    const [output, cursor] = [newFile(), newFile()];
    const args = (to: string) => ['permissions_policy', '--output', to, '--cursor', cursor];
    await service.load(report('ada', 'permissions_policy', 'written'));
    expect((await run(args(output))).code).toBe(0);
    const saved = await readFile(cursor, 'utf8');
    await service.load(report('ada', 'permissions_policy', 'unwritten'));
    const { code, stderr } = await run(args('/dev/full'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be written: ENOSPC/)]);
    expect(await readFile(cursor, 'utf8')).toBe(saved);
    expect((await run(args(output))).code).toBe(0);
    expect(toIds(await readFile(output, 'utf8'))).toEqual(['written', 'unwritten']);
  });

  it('is rejected: a server that is not Sightline', async () => {
    const url = await between((_, response) => response.end('hello'));
    const { code, stderr } = await run(['csp', '--output', newFile()], url);
    expect([code, stderr]).toEqual([1, 'The response has no cursor: check the URL of the service\n']);
  });

  it('is rejected: a file that cannot be written', async () => {
    for (const args of [[], ['--follow']]) {
      const path = join(folder, 'missing', 'file');
      const { code, stderr } = await run(['csp', '--output', path, ...args]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be written: ENOENT/)]);
    }
  });
});
