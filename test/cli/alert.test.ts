import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { type Line, startService, type TestService } from '../support/service.ts';
import { exitCode, sightlineHere, sightlineLasting, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

/** Insights are delivered to receivers that respond, refuse, fail or disappear, and sent to people as a digest. */

const DAY = 24 * 3_600_000;
const now = Date.now();
const stamp = (ago: number) => new Date(now - ago).toISOString().replace(/\.\d+Z$/, 'Z');
const HOSTILE = '<b>*Evil*</b> [x](https://e.test) & Co';

let service: TestService;
let key: string;
let quiet: string;
let mailed: string;
let folder: string;
const servers: Server[] = [];

/** A month of mail, and a new sender whose mail fails. */
const sender = (account: string, organisation: string, ago: number): Line[] =>
  Array.from({ length: 6 }, (_, index) =>
    report(account, 'dmarc', `${organisation}-${index}`, {
      date: stamp(ago - index * 60_000),
      organisation,
      aligned: false,
      count: 50,
    }),
  );

const usual = (account: string): Line[] =>
  Array.from({ length: 40 }, (_, day) =>
    report(account, 'dmarc', `usual-${day}`, {
      date: stamp(day * DAY + 60_000),
      organisation: 'Good Mail',
      aligned: true,
      count: 9,
    }),
  );

beforeAll(async () => {
  service = await startService({ now: new Date(now).toISOString() });
  key = await open(service, personal('ada'), plan('ada'));
  quiet = await open(service, personal('eve'), plan('eve'));
  mailed = await open(service, personal('mia'), plan('mia'));
  await service.load(
    ...usual('ada'),
    ...usual('eve'),
    ...usual('mia'),
    ...sender('mia', 'Daily Bulk', 40 * 3_600_000),
    ...sender('ada', HOSTILE, 3 * 3_600_000),
    ...sender('ada', 'Other Bulk', 5 * 3_600_000),
  );
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-alert-'));
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await service.close();
  await rm(folder, { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `file-${++files}`);
const alert = (args: readonly string[], env: Record<string, string> = { SIGHTLINE_KEY: key }) =>
  sightlineHere(['alert', '--url', service.url, '--retry', '1ms', ...args], env);

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: forms of many services
  json: any;
}

/** @param answer returns the status for a delivery by its number, counted from 0 */
async function receiver(answer: (number: number, id: string) => number | undefined) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isJson = request.headers['content-type'] === 'application/json';
    deliveries.push({ headers: request.headers, body, json: isJson ? JSON.parse(body) : undefined });
    const id = String(request.headers['sightline-delivery']);
    const status = answer(deliveries.length - 1, id);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('well');
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries };
}

const ids = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ headers }) => headers['sightline-delivery']);

describe('alert', () => {
  it('reports each new insight once, and once again when it is resolved', async () => {
    const state = newFile();
    const { url, deliveries } = await receiver(() => 200);
    const args = ['--state', state, '--webhook', url];
    expect(await alert(args)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(deliveries.map(({ json }) => [json.event, json.insight.subject]).sort()).toEqual([
      ['new', HOSTILE],
      ['new', 'Other Bulk'],
    ]);
    expect(deliveries[0]!.json).toMatchObject({
      untrusted: ['insight.title', 'insight.detail', 'insight.subject'],
      insight: { kind: 'newSender', severity: 'incident', count: 300 },
    });
    expect(deliveries[0]!.json.link).toMatch(`${service.url}/app#/dmarc?`);
    expect(await alert(args)).toMatchObject({ code: 0 });
    expect(deliveries).toHaveLength(2);
    // As if its reports were a day older, so that the service no longer returns it.
    const stateText = await readFile(state, 'utf8');
    await writeFile(
      state,
      // They have the same id here, even if they began on different days.
      stateText
        .replaceAll('Other Bulk', 'Third Bulk')
        .replace(/newSender-[\d-]+-\w+/g, 'newSender-2026-01-01-aa'),
    );
    expect(await alert(args)).toMatchObject({ code: 0 });
    expect(
      deliveries
        .slice(2)
        .map(({ json }) => json.event)
        .sort(),
    ).toEqual(['new', 'new', 'resolved']);
    expect((await stat(state)).mode & 0o077).toBe(0);
  });

  it('tests a receiver with an example and leaves the state unchanged', async () => {
    const state = newFile();
    const { url, deliveries } = await receiver(number => (number === 0 ? 200 : 503));
    const args = ['--state', state, '--webhook', url, '--format', 'slack', '--test'];
    expect(await alert(args)).toEqual({ code: 0, stdout: '', stderr: 'The test was delivered.\n' });
    expect(deliveries.map(({ body }) => body)).toEqual([
      expect.stringContaining('A test of sightline alert'),
    ]);
    expect(await alert(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The test was not delivered: the receiver responded with 503/),
    });
    await expect(stat(state)).rejects.toThrow('ENOENT');
  });

  it('forgets resolved insights after three months, and refused ones that no longer exist', async () => {
    const state = newFile();
    const { url } = await receiver(number => (number === 0 ? 200 : 400));
    const entry = (id: string, event: string, at: string) => [id, { event, insight: { id }, at }];
    const reported = Object.fromEntries([
      entry('gone', 'resolved', stamp(93 * DAY)),
      entry('recent', 'resolved', stamp(90 * DAY)),
    ]);
    const setAside = { 'past:new': { tries: 3, due: stamp(DAY) } };
    await writeFile(state, JSON.stringify({ reported, setAside }));
    expect(await alert(['--state', state, '--webhook', url])).toMatchObject({ code: 1 });
    const saved = JSON.parse(await readFile(state, 'utf8'));
    const ids = (entries: object) => Object.keys(entries).map(id => id.replace(/^newSender-.*/, 'new one'));
    expect([ids(saved.reported), ids(saved.setAside)]).toEqual([['recent', 'new one'], ['new one']]);
  });

  it('does not report a mail insight as resolved before the next daily report is due', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const args = ['--state', newFile(), '--webhook', url];
    for (let look = 0; look < 2; look++) await alert(args, { SIGHTLINE_KEY: mailed });
    expect(deliveries.map(({ json }) => [json.event, json.insight.subject])).toEqual([['new', 'Daily Bulk']]);
  });

  it('signs the timestamp and body of each request', async () => {
    const { url, deliveries } = await receiver(() => 204);
    const secret = newFile();
    await writeFile(secret, 'hush\n');
    await alert(['--state', newFile(), '--webhook', url, '--secret-file', secret]);
    const [{ headers, body }] = deliveries as [Delivery];
    const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['sightline-signature']))!;
    expect(digest).toBe(createHmac('sha256', 'hush').update(`${time}.${body}`).digest('hex'));
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(3600);
  });

  it('retries each failed delivery while the others continue', async () => {
    const failures = new Map<string, number>();
    const { url, deliveries } = await receiver((_, id) => {
      const failed = failures.get(id) ?? (failures.size === 0 ? 0 : 3);
      failures.set(id, failed + 1);
      return [503, undefined, 429, 200][failed];
    });
    expect(await alert(['--state', newFile(), '--webhook', url])).toMatchObject({ code: 0 });
    const [first, second] = ids(deliveries);
    expect(first).not.toBe(second);
    expect(ids(deliveries)).toEqual([first, second, first, first, first]);
  });

  it('delivers the events after a refused one and retries that one separately', async () => {
    const state = newFile();
    let refused: string | undefined;
    const { url, deliveries } = await receiver((_, id) => {
      refused ??= id;
      return id === refused ? 400 : 200;
    });
    const args = ['--state', state, '--webhook', url];
    const first = await alert(args);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining(`${refused} was not delivered`) });
    expect(ids(deliveries)).toHaveLength(2);
    // On the next check, and then after increasing delays.
    expect(await alert(args)).toMatchObject({ code: 1 });
    expect(ids(deliveries).slice(2)).toEqual([refused]);
    const waiting = await alert(args);
    expect(waiting).toMatchObject({ code: 1, stderr: expect.stringContaining('1 refused before') });
    expect(ids(deliveries)).toHaveLength(3);
    const saved = JSON.parse(await readFile(state, 'utf8'));
    saved.setAside[refused!].due = stamp(DAY);
    await writeFile(state, JSON.stringify(saved));
    refused = 'none';
    expect(await alert(args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(ids(deliveries)).toHaveLength(4);
  });

  it('delivers the events after one that the receiver fails to process', async () => {
    let failing: string | undefined;
    const { url, deliveries } = await receiver((_, id) => {
      failing ??= id;
      return id === failing ? 500 : 200;
    });
    const args = ['--state', newFile(), '--webhook', url, '--retry-for', '20ms'];
    expect(await alert(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(failing ?? '500') });
    expect(new Set(ids(deliveries)).size).toBe(2);
  });

  it('finds new insights while the receiver fails on another event', async () => {
    const own = await open(service, personal('zed'), plan('zed'));
    await service.load(...usual('zed'), ...sender('zed', HOSTILE, 3 * 3_600_000));
    let failing: string | undefined;
    const { url, deliveries } = await receiver((_, id) => {
      failing ??= id;
      return id === failing ? 500 : 200;
    });
    const args = ['alert', '--url', service.url, '--state', newFile(), '--webhook', url, '--every', '100ms'];
    const running = sightlineLasting([...args, '--retry', '1ms'], { SIGHTLINE_KEY: own });
    try {
      await until(() => deliveries.length > 3);
      await service.load(...sender('zed', 'Other Bulk', 5 * 3_600_000));
      await until(() => expect(new Set(ids(deliveries)).size).toBe(2));
    } finally {
      await running.end();
    }
  });

  it('retries undelivered events in the next run', async () => {
    const state = newFile();
    const refusing = await receiver(number => (number === 0 ? 200 : 403));
    const first = await alert(['--state', state, '--webhook', refusing.url]);
    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the receiver responded with 403'),
    });
    const taking = await receiver(() => 200);
    expect(await alert(['--state', state, '--webhook', taking.url])).toMatchObject({ code: 0 });
    expect(ids(taking.deliveries)).toEqual([ids(refusing.deliveries)[1]]);
  });

  it('gives up after --retry-for and follows no redirects', async () => {
    const away = await receiver(() => 500);
    const args = ['--state', newFile(), '--retry-for', '20ms', '--webhook'];
    expect(await alert([...args, away.url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('500'),
    });
    const leading = await receiver(() => 302);
    expect(await alert([...args, leading.url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('302'),
    });
    expect(leading.deliveries).toHaveLength(2);
    expect(new Set(ids(leading.deliveries)).size).toBe(2);
  });

  it('reports every insight at least once, even if it is killed at any point', { tags: 'slow' }, async () => {
    const state = newFile();
    const { url, deliveries } = await receiver(() => 200);
    const args = ['alert', '--url', service.url, '--state', state, '--webhook', url, '--every', '50ms'];
    for (const count of [1, 2]) {
      const child = startSightline(args, { env: { SIGHTLINE_KEY: key } });
      await until(() => deliveries.length >= count);
      child.kill('SIGKILL');
      await exitCode(child);
    }
    expect(await alert(['--state', state, '--webhook', url])).toMatchObject({ code: 0 });
    expect(new Set(ids(deliveries)).size).toBe(2);
    expect(deliveries.length).toBeLessThanOrEqual(4);
  });

  it('reports every insight and the error if its state cannot be saved', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const state = join(newFile(), 'alerts.json');
    const args = ['--state', state, '--webhook', url];
    expect(await alert(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(state) });
    expect(new Set(ids(deliveries)).size).toBe(2);
    expect(deliveries).toHaveLength(2);
    // Repeated insights have the same id.
    await alert(args);
    expect(deliveries).toHaveLength(4);
    expect(new Set(ids(deliveries)).size).toBe(2);
  });

  it('reports each insight once while its state cannot be saved, and saves it once possible', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const above = newFile();
    const state = join(above, 'alerts.json');
    const args = ['alert', '--url', service.url, '--state', state, '--webhook', url, '--every', '50ms'];
    const running = sightlineLasting(args, { SIGHTLINE_KEY: key });
    await until(() => deliveries.length >= 2);
    await mkdir(above);
    await until(() =>
      readFile(state).then(
        () => true,
        () => false,
      ),
    );
    expect(await running.end()).toMatchObject({ code: 0 });
    expect(deliveries).toHaveLength(2);
  });

  it('uses the clock of the service, even if the local one is wrong', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const args = ['--state', newFile(), '--webhook', url];
    expect(await alert(args)).toMatchObject({ code: 0 });
    expect(deliveries).toHaveLength(2);
    for (const wrong of [200 * DAY, -200 * DAY, 0]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrong });
      const { code, stderr } = await alert(args).finally(() => vi.useRealTimers());
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    expect(deliveries).toHaveLength(2);
  });

  it('stops and delivers nothing if its state file is incomplete', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const state = newFile();
    await writeFile(state, '{"told":{"a":{"event":"ne');
    expect(await alert(['--state', state, '--webhook', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('remove it to start again'),
    });
    expect(deliveries).toEqual([]);
  });

  it('neutralizes markup from reports in every format', async () => {
    const message = async (format: string) => {
      const { url, deliveries } = await receiver(() => 200);
      await alert(['--state', newFile(), '--webhook', url, '--format', format]);
      return deliveries.find(({ body }) => body.includes('Evil'))!;
    };
    const { json: slack } = await message('slack');
    expect(slack.text).toBe('New incident');
    expect(slack.blocks.map(({ text }: { text: { type: string } }) => text.type)).toEqual(
      Array(3).fill('plain_text'),
    );
    const { json: teams } = await message('teams');
    const [{ content }] = teams.attachments;
    expect(content.body.map(({ type }: { type: string }) => type)).toEqual(Array(3).fill('RichTextBlock'));
    expect(JSON.stringify(content.body)).toContain('which anyone can send');
    const ntfy = await message('ntfy');
    expect(ntfy.headers).toMatchObject({ title: 'Sightline: New incident', priority: '4' });
    expect(ntfy.headers.click).toContain('/app#/dmarc');
  });

  it('truncates untrusted text to the limits of each receiver', async () => {
    const long = await open(service, personal('zoe'), plan('zoe'));
    await service.load(
      ...Array.from({ length: 40 }, (_, day) =>
        report('zoe', 'dmarc', `usual-${day}`, {
          date: stamp(day * DAY + 60_000),
          organisation: 'Good Mail',
          aligned: true,
          count: 9,
        }),
      ),
      ...Array.from({ length: 6 }, (_, index) =>
        report('zoe', 'dmarc', `long-${index}`, {
          date: stamp(3 * 3_600_000 - index * 60_000),
          organisation: '\u{1f4a9}木"<'.repeat(250),
          aligned: false,
          count: 50,
        }),
      ),
    );
    const message = async (format: string) => {
      const { url, deliveries } = await receiver(() => 200);
      await alert(['--state', newFile(), '--webhook', url, '--format', format], { SIGHTLINE_KEY: long });
      expect(deliveries).toHaveLength(1);
      return deliveries[0]!;
    };
    const { json } = await message('json');
    expect(json.insight.title.length).toBeLessThanOrEqual(120);
    expect(json.insight.title).toContain('sends mail in your name for the first time, and fails DMARC');
    expect(json.insight.link.length).toBeLessThanOrEqual(500);
    expect(json.insight.subject.length).toBeLessThanOrEqual(500);
    // The period starts a full hour, one day before the first report. The name is too long for a link.
    const from = new Date(Math.floor((now - 27 * 3_600_000) / 3_600_000) * 3_600_000).toISOString();
    const minute = encodeURIComponent(from.slice(0, 16).replace('T00:00', ''));
    expect(json.link).toBe(`${service.url}/app#/dmarc?from=${minute}`);
    const { json: slack } = await message('slack');
    for (const { text } of slack.blocks) expect(text.text.length).toBeLessThanOrEqual(3000);
    expect(Buffer.byteLength((await message('teams')).body)).toBeLessThanOrEqual(28_000);
    expect(Buffer.byteLength((await message('ntfy')).body)).toBeLessThanOrEqual(4096);
  });

  it('runs a command for each insight, with JSON on its standard input', async () => {
    const output = newFile();
    const done = await alert(['--state', newFile(), '--exec', `cat >> ${output}; echo >> ${output}`]);
    expect(done).toMatchObject({ code: 0 });
    const lines = (await readFile(output, 'utf8')).split('\n').filter(line => line !== '');
    expect(lines.map(line => JSON.parse(line).insight.subject).sort()).toEqual([HOSTILE, 'Other Bulk']);
    const failed = await alert(['--state', newFile(), '--retry-for', '5ms', '--exec', 'exit 3']);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('the command ended with 3') });
  });

  it('skips insights below the minimum severity', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const runAt = (severity: string) =>
      alert(['--state', newFile(), '--webhook', url, '--min-severity', severity]);
    expect(await runAt('threat')).toMatchObject({ code: 0, stderr: '' });
    expect(deliveries).toEqual([]);
    expect(await runAt('incident')).toMatchObject({ code: 0 });
    expect(deliveries).not.toEqual([]);
  });

  it('explains incorrect usage', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await alert(['--state', newFile(), ...args]);
      return `${code} ${stderr}`;
    };
    expect(await wrong()).toMatch(/^2 .*give one of --webhook, --exec and --stdout/);
    expect(await wrong('--stdout', '--exec', 'x')).toMatch(/^2 .*give one of/);
    for (const host of [
      'hooks.example.com',
      'localhost.example.com',
      '127.0.0.1.example.com',
      'notlocalhost',
    ])
      expect(await wrong('--webhook', `http://${host}/`)).toMatch(/^2 .*must be an https: URL/);
    expect(await wrong('--webhook', 'ftp://127.0.0.1/')).toMatch(/^2 .*Give it as https/);
    expect(await wrong('--webhook', 'https://a:b@127.0.0.1/')).toMatch(/^2 .*without a password/);
    expect(await wrong('--stdout', '--format', 'slack')).toMatch(/^2 .*require --webhook/);
    const state = newFile();
    await writeFile(state, '{"told":');
    const broken = await alert(['--state', state, '--stdout']);
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not a state file of alerts'),
    });
    expect(await alert(['--state', newFile(), '--stdout'], {})).toMatchObject({ code: 1 });
    const revoked = await alert(['--state', newFile(), '--stdout'], { SIGHTLINE_KEY: 'svc_d_none' });
    expect(revoked).toMatchObject({ code: 1 });
  });
});

describe('digest', () => {
  const digest = (args: readonly string[], own = key) =>
    sightlineHere(['digest', '--url', service.url, ...args], { SIGHTLINE_KEY: own });

  it.each([
    ['day', 1],
    ['week', 7],
    ['month', 30],
  ])('covers the last %s of %i days', async (period, days) => {
    const { stdout } = await digest(['--period', period], quiet);
    const [, from = '', until = ''] =
      new RegExp(`^Insights of the ${period} from (\\S+) to (\\S+)\n`).exec(stdout) ?? [];
    expect(Date.parse(until) - Date.parse(from)).toBe(days * DAY);
    expect(stdout).toContain(`A quiet ${period}: nothing new began.`);
  });

  it('reports a quiet week in each format', async () => {
    for (const format of ['text', 'markdown', 'html']) {
      const { code, stdout } = await digest(['--format', format], quiet);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('A quiet week') });
    }
  });

  it('lists the insights of the period without markup from reports', async () => {
    const text = (await digest([])).stdout;
    expect(text).toContain(`${HOSTILE} sends mail in your name for the first time, and fails DMARC`);
    expect(text).toContain('Incidents\n---------');
    const html = (await digest(['--format', 'html'])).stdout;
    expect(html).not.toMatch(/<b>|<i>/);
    expect(html).toContain('&#60;b&#62;*Evil*');
    const markdown = (await digest(['--format', 'markdown', '--period', 'month'])).stdout;
    expect(markdown).toContain('\\<b\\>\\*Evil\\*');
    expect(markdown).not.toContain('](https://e.test');
  });
});
