import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import {
  accept,
  filesIn,
  post,
  startTarget,
  startTestCollector,
  type TestCollector,
  violation,
} from './collecting.ts';

const forwarded = (outcome: string, account = 'acme') =>
  `sightline_collect_forwarded_total{account="${account}",outcome="${outcome}"}`;
const QUICK = { hosts: [], timeout: 200, pause: 1 };
const page = (uri: string) => violation({ 'document-uri': uri });

it('the collector forwards an accepted body unchanged, without the address of the client', async () => {
  await using other = await startTarget();
  await using collector = await startTestCollector({ forward: { ...QUICK, url: other.url } });
  const spaced = JSON.stringify(JSON.parse(violation()), null, 1);
  const headers = { 'content-type': 'application/csp-report', 'x-forwarded-for': '203.0.113.77' };
  expect((await post(`${collector.to}/enforce`, spaced, headers)).status).toBe(204);
  await until(() => other.got.length === 1);
  expect(await collector.lines()).toHaveLength(1);
  expect(JSON.parse(other.got[0]!.body)).toEqual(JSON.parse(violation()));
  expect(other.got[0]!.headers).toMatchObject({
    'content-type': 'application/csp-report',
    'user-agent': 'Mozilla/5.0 Test',
    via: '1.1 sightline-collect',
  });
  expect(JSON.stringify(other.got)).not.toContain('203.0.113');
  await until(async () => (await collector.metric(forwarded('taken'))) === 1);
  expect(await collector.metric('sightline_collect_forward_bytes')).toBe(0);
});

it('the collector forwards only accepted reports of the configured hosts, and keeps lists as lists', async () => {
  await using other = await startTarget();
  const forward = { ...QUICK, hosts: ['acme.example'], url: other.url };
  await using collector = await startTestCollector({ forward }, { hosts: ['acme.example', 'other.example'] });
  const [mine, below] = [page('https://acme.example/'), page('https://a.acme.example/')];
  const foreign = ['https://other.example/', 'https://elsewhere.example/', 'about:srcdoc'].map(page);
  for (const body of foreign) await post(collector.to, body);
  await post(collector.to, ` [${[foreign[0], mine, foreign[1], below]}]`);
  await post(collector.to, ` [${[foreign[0], mine]}]`);
  await post(collector.to, ` [${[mine, below]}]`);
  await post(collector.to, mine);
  await until(() => other.got.length === 4);
  const bodies = other.got.map(({ body }) => JSON.stringify(JSON.parse(body)));
  expect(bodies.sort()).toEqual([`[${mine},${below}]`, `[${mine},${below}]`, `[${mine}]`, mine].sort());
});

it('the collector does not forward reports that another collector has forwarded', async () => {
  await using collector = await startTestCollector();
  await using other = await startTarget();
  await using first = await startTestCollector({ forward: { ...QUICK, url: collector.to } });
  await using loop = await startTestCollector({ forward: { ...QUICK, url: other.url } });
  await post(first.to, violation());
  await until(async () => (await collector.lines()).length === 1);
  await post(loop.to, violation(), { via: '1.1 proxy, 1.1 Sightline-Collect' });
  await post(loop.to, page('https://acme.example/last'));
  await until(() => other.got.length === 1);
  expect(other.got[0]!.body).toContain('last');
  await until(async () => (await loop.lines()).length === 2);
});

it.each<[string, (response: ServerResponse, number: number) => void, string, number]>([
  ['refuses', response => response.writeHead(403).end('no'), 'refused', 1],
  ['redirects', response => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'refused', 1],
  ['waits too long for the body', response => response.writeHead(408).end(), 'failed', 5],
  ['is too busy', response => response.writeHead(429).end(), 'failed', 5],
  ['breaks', response => response.writeHead(500).end(), 'failed', 5],
  ['closes connections', response => response.destroy(), 'failed', 5],
  ['does not answer', () => {}, 'failed', 5],
  [
    'recovers at the third attempt',
    (response, number) => response.writeHead(number < 3 ? 503 : 200).end(),
    'taken',
    3,
  ],
])('the collector stores and counts every report when the target %s', async (_, answer, outcome, tries) => {
  await using other = await startTarget(answer);
  await using collector = await startTestCollector({ forward: { ...QUICK, url: other.url } });
  expect((await post(collector.to, violation())).status).toBe(204);
  await until(async () => (await collector.metric(forwarded(outcome))) === 1);
  expect(other.got).toHaveLength(tries);
  expect(await collector.lines()).toHaveLength(1);
  expect(await collector.metric('sightline_collect_forward_bytes')).toBe(0);
});

/** Returns the size of the spooled reports, which takes much less time than reading them. */
async function measureSpool({ spool }: TestCollector): Promise<number> {
  const sizes = await Promise.all((await filesIn(spool)).map(async path => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('the collector limits pending data per account while the target hangs, and stores every report', {
  tags: 'slow',
}, async () => {
  await using other = await startTarget(() => {});
  await using collector = await startTestCollector({
    forward: { ...QUICK, timeout: 60_000, url: other.url },
  });
  const to = await collector.token({ account: 'quiet' });
  await until(async () => (await post(to, '{}')).status === 400);
  const long = violation({ 'script-sample': 'x'.repeat(500_000) });
  for (let time = 0; time < 30; time++) {
    expect((await post(collector.to, long)).status).toBe(204);
    await until(async () => (await measureSpool(collector)) > (time + 1) * 500_000);
  }
  for (let time = 0; time < 3; time++) await post(to, long);
  await until(async () => (await collector.lines('quiet')).length === 3);
  expect(await collector.metric(forwarded('dropped'))).toBeGreaterThan(15);
  expect(await collector.metric(forwarded('dropped', 'quiet'))).toBe(0);
  expect(await collector.metric('sightline_collect_forward_bytes')).toBeLessThan(8 * 1024 * 1024);
  await collector.collector.close();
  expect(await collector.lines()).toHaveLength(30);
  expect(await collector.metric('sightline_collect_forward_bytes')).toBe(0);
});

it('the collector forwards bodies of accounts in turns', async () => {
  const held: ServerResponse[] = [];
  await using other = await startTarget(response => held.push(response));
  const forward = { ...QUICK, timeout: 60_000, url: other.url };
  await using collector = await startTestCollector({ forward });
  const quiet = await collector.token({ account: 'quiet' });
  await until(async () => (await post(quiet, '{}')).status === 400);
  // Four requests are in progress, so the others wait.
  for (let sent = 1; sent <= 6; sent++) {
    await post(collector.to, page(`https://acme.example/${sent}`));
    await until(async () => (await collector.lines()).length === sent);
  }
  await post(quiet, page('https://quiet.example/'));
  await until(async () => (await collector.lines('quiet')).length === 1);
  for (let got = 4; got < 7; got++) {
    await until(() => other.got.length === got);
    accept(held.shift()!);
  }
  await until(() => other.got.length === 7);
  const pages = other.got.slice(4).map(({ body }) => JSON.parse(body)['csp-report']['document-uri']);
  expect(pages).toEqual(['https://acme.example/5', 'https://quiet.example/', 'https://acme.example/6']);
  for (const response of held) accept(response);
});

it('the collector stores every report when the target is unreachable', async () => {
  await using collector = await startTestCollector({ forward: { ...QUICK, url: 'http://127.0.0.1:1/' } });
  for (let time = 0; time < 20; time++) expect((await post(collector.to, violation())).status).toBe(204);
  await until(async () => (await collector.metric(forwarded('failed'))) === 20);
  expect(await collector.lines()).toHaveLength(20);
});
