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
import { exitCode, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

/** Signs are told to receivers that answer, refuse, fail and go away, and to people as a digest. */

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

/** A month of mails, and a new sender that fails. */
const sender = (account: string, organisation: string, ago: number): Line[] =>
  Array.from({ length: 6 }, (_, index) =>
    report(account, 'dmarc', `${organisation}-${index}`, {
      date: stamp(ago - index * 60_000),
      organisation,
      aligned: false,
      count: 50,
    }),
  );

beforeAll(async () => {
  service = await startService({ now: new Date(now).toISOString() });
  const usual = (account: string) =>
    Array.from({ length: 40 }, (_, day) =>
      report(account, 'dmarc', `usual-${day}`, {
        date: stamp(day * DAY + 60_000),
        organisation: 'Good Mail',
        aligned: true,
        count: 9,
      }),
    );
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

/** @param answer the status for the delivery of that number, counted from 0 */
async function receiver(answer: (number: number) => number | undefined) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isJson = request.headers['content-type'] === 'application/json';
    deliveries.push({ headers: request.headers, body, json: isJson ? JSON.parse(body) : undefined });
    const status = answer(deliveries.length - 1);
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
  it('tells each new sign once, and again that it is over', async () => {
    const state = newFile();
    const { url, deliveries } = await receiver(() => 200);
    const args = ['--state', state, '--webhook', url];
    expect(await alert(args)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(deliveries.map(({ json }) => [json.event, json.sign.subject]).sort()).toEqual([
      ['new', HOSTILE],
      ['new', 'Other Bulk'],
    ]);
    expect(deliveries[0]!.json).toMatchObject({
      untrusted: ['sign.title', 'sign.detail', 'sign.subject'],
      sign: { kind: 'newSender', severity: 'incident', count: 300 },
    });
    expect(deliveries[0]!.json.link).toMatch(`${service.url}/app#/dmarc?`);
    expect(await alert(args)).toMatchObject({ code: 0 });
    expect(deliveries).toHaveLength(2);
    // As when its reports were a day ago: the service no longer tells it.
    const kept = await readFile(state, 'utf8');
    await writeFile(
      state,
      // Both have one id here, also where they began on two days.
      kept.replaceAll('Other Bulk', 'Third Bulk').replace(/newSender-[\d-]+-\w+/g, 'newSender-2026-01-01-aa'),
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

  it('holds no sign of mail for over before the report of the next day is due', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const args = ['--state', newFile(), '--webhook', url];
    for (let look = 0; look < 2; look++) await alert(args, { SIGHTLINE_KEY: mailed });
    expect(deliveries.map(({ json }) => [json.event, json.sign.subject])).toEqual([['new', 'Daily Bulk']]);
  });

  it('signs what it posts with time and body', async () => {
    const { url, deliveries } = await receiver(() => 204);
    const secret = newFile();
    await writeFile(secret, 'hush\n');
    await alert(['--state', newFile(), '--webhook', url, '--secret-file', secret]);
    const [{ headers, body }] = deliveries as [Delivery];
    const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['sightline-signature']))!;
    expect(digest).toBe(createHmac('sha256', 'hush').update(`${time}.${body}`).digest('hex'));
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(3600);
  });

  it('tries a receiver that fails again, and tells the rest after it', async () => {
    const { url, deliveries } = await receiver(number => [503, undefined, 429, 200, 200][number]);
    expect(await alert(['--state', newFile(), '--webhook', url])).toMatchObject({ code: 0 });
    const told = ids(deliveries);
    expect(told).toHaveLength(5);
    expect(new Set(told).size).toBe(2);
    expect(new Set(told.slice(0, 4)).size).toBe(1);
  });

  it('keeps what was not taken for the next run', async () => {
    const state = newFile();
    const refusing = await receiver(number => (number === 0 ? 200 : 403));
    const first = await alert(['--state', state, '--webhook', refusing.url]);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('the receiver answers 403') });
    const taking = await receiver(() => 200);
    expect(await alert(['--state', state, '--webhook', taking.url])).toMatchObject({ code: 0 });
    expect(ids(taking.deliveries)).toEqual([ids(refusing.deliveries)[1]]);
  });

  it('gives up in time, and follows no redirect', async () => {
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
    expect(leading.deliveries).toHaveLength(1);
  });

  it('tells everything at least once although it is killed at any moment', async () => {
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

  it('tells everything, and says so, where its state cannot be kept', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const state = join(newFile(), 'told.json');
    const args = ['--state', state, '--webhook', url];
    expect(await alert(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(state) });
    expect(new Set(ids(deliveries)).size).toBe(2);
    expect(deliveries).toHaveLength(2);
    // Those that come again have the same ids.
    await alert(args);
    expect(deliveries).toHaveLength(4);
    expect(new Set(ids(deliveries)).size).toBe(2);
  });

  it('tells each once while its state cannot be kept, and keeps it when it can', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const above = newFile();
    const state = join(above, 'told.json');
    const args = ['alert', '--url', service.url, '--state', state, '--webhook', url, '--every', '50ms'];
    const child = startSightline(args, { env: { SIGHTLINE_KEY: key } });
    await until(() => deliveries.length >= 2);
    await mkdir(above);
    await until(() =>
      readFile(state).then(
        () => true,
        () => false,
      ),
    );
    child.kill('SIGTERM');
    expect(await exitCode(child)).toBe(0);
    expect(deliveries).toHaveLength(2);
  });

  it('goes by the clock of the service, however wrong its own is', async () => {
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

  it('begins nothing anew where its state is half written', async () => {
    const { url, deliveries } = await receiver(() => 200);
    const state = newFile();
    await writeFile(state, '{"told":{"a":{"event":"ne');
    expect(await alert(['--state', state, '--webhook', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('remove it to begin anew'),
    });
    expect(deliveries).toEqual([]);
  });

  it('has no markup of a report in any form', async () => {
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

  it('starts a command for each, with JSON on its standard input alone', async () => {
    const output = newFile();
    const done = await alert(['--state', newFile(), '--exec', `cat >> ${output}; echo >> ${output}`]);
    expect(done).toMatchObject({ code: 0 });
    const lines = (await readFile(output, 'utf8')).split('\n').filter(line => line !== '');
    expect(lines.map(line => JSON.parse(line).sign.subject).sort()).toEqual([HOSTILE, 'Other Bulk']);
    const failed = await alert(['--state', newFile(), '--retry-for', '5ms', '--exec', 'exit 3']);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('the command ended with 3') });
  });

  it('leaves out what is less urgent than asked for', async () => {
    const { url, deliveries } = await receiver(() => 200);
    await alert(['--state', newFile(), '--webhook', url, '--min-severity', 'threat']);
    expect(deliveries).toEqual([]);
  });

  it('names what is wrong with how it is used', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await alert(['--state', newFile(), ...args]);
      return `${code} ${stderr}`;
    };
    expect(await wrong()).toMatch(/^2 .*give one of --webhook, --exec and --stdout/);
    expect(await wrong('--stdout', '--exec', 'x')).toMatch(/^2 .*give one of/);
    expect(await wrong('--webhook', 'http://hooks.example.com/')).toMatch(/^2 .*takes https: alone/);
    expect(await wrong('--webhook', 'ftp://127.0.0.1/')).toMatch(/^2 .*Give it as https/);
    expect(await wrong('--webhook', 'https://a:b@127.0.0.1/')).toMatch(/^2 .*without a password/);
    expect(await wrong('--stdout', '--format', 'slack')).toMatch(/^2 .*go with --webhook/);
    const state = newFile();
    await writeFile(state, '{"told":');
    const broken = await alert(['--state', state, '--stdout']);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no state of alerts') });
    expect(await alert(['--state', newFile(), '--stdout'], {})).toMatchObject({ code: 1 });
    const revoked = await alert(['--state', newFile(), '--stdout'], { SIGHTLINE_KEY: 'svc_d_none' });
    expect(revoked).toMatchObject({ code: 1 });
  });
});

describe('digest', () => {
  const digest = (args: readonly string[], own = key) =>
    sightlineHere(['digest', '--url', service.url, ...args], { SIGHTLINE_KEY: own });

  it('says that a week was quiet, in each form', async () => {
    for (const format of ['text', 'markdown', 'html']) {
      const { code, stdout } = await digest(['--format', format], quiet);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('A quiet week') });
    }
  });

  it('has the signs of the period, without markup of a report', async () => {
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
