import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { type PlanQuota, Quotas } from '../src/quotas.ts';
import { post, startTestCollector, violation } from './collecting.ts';

afterEach(() => vi.useRealTimers());

const outcome = (account: string, name: string) =>
  `sightline_collect_reports_total{account="${account}",outcome="${name}"}`;
const month = () => new Date().toISOString().slice(0, 7);
const pass = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });

it('the collector limits the bytes that an account stores per day, and counts the rest as rejected', async () => {
  await using collector = await startTestCollector({ mostDaily: 10_000 });
  const other = await collector.token({ account: 'other' });
  await until(async () => (await post(other, '{}')).status === 400);
  const long = violation({ 'script-sample': 'x'.repeat(4000) });
  for (let time = 0; time < 5; time++) expect((await post(collector.to, long)).status).toBe(204);
  expect((await post(other, long)).status).toBe(204);
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(3);
  expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
  await collector.collector.close();
  expect(await collector.lines('other')).toHaveLength(1);
  expect((await collector.lines()).at(-1)!.usage).toMatchObject({ type: 'csp', rejected: 3 });
  // A new process continues with the stored counts, and the next day starts at zero.
  await using restarted = await startTestCollector({ spool: collector.spool, mostDaily: 10_000 });
  await post(restarted.to, long);
  expect(await restarted.metric(outcome('acme', 'quota'))).toBe(1);
  pass(1);
  await post(restarted.to, long);
  expect(await restarted.metric(outcome('acme', 'quota'))).toBe(1);
  await until(async () => (await restarted.metric(outcome('acme', 'accepted'))) === 1);
});

it('the collector enforces the monthly quota of the plan, and accepts as many reports of a list as fit', async () => {
  let answer: PlanQuota | undefined = { used: 95, limit: 100, month: month() };
  let requests = 0;
  const ask = async () => void requests++;
  await using collector = await startTestCollector({ findQuota: () => answer, ask, askEvery: 20 });
  const respond = async (next: PlanQuota | undefined) => {
    answer = next;
    const before = requests;
    // The second request starts after the first one has been counted.
    await until(() => requests > before + 1);
  };
  const list = (count: number) => `[${Array(count).fill(violation())}]`;
  await post(collector.to, list(4));
  await post(collector.to, list(4));
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(3);
  await until(async () => (await collector.lines()).length === 2);
  // The importer is not running, so the service has not counted these five yet.
  await respond({ used: 95, limit: 100, month: month() });
  await respond({ used: 95, limit: 100, month: month() });
  await post(collector.to, list(4));
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(7);
  await rm(join(collector.spool, 'acme'), { recursive: true });
  await respond({ used: 100, limit: 200, month: month() });
  await post(collector.to, list(90));
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(7);
  await respond(undefined);
  await post(collector.to, list(100));
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(7);
  await collector.collector.close();
  expect(await collector.metric(outcome('acme', 'accepted'))).toBe(195);
});

it('the collector accepts reports of types that are exempt from an exhausted quota', async () => {
  const answer = { used: 0, limit: 3, month: month() };
  await using collector = await startTestCollector({ findQuota: () => answer });
  const other = JSON.stringify({ type: 'unheard-of', url: 'https://acme.example/', body: { a: 1 } });
  const mixed = `[${[violation(), other, violation(), other, violation(), violation()]}]`;
  await post(collector.to, `[${Array(5).fill(other)}]`);
  await post(collector.to, mixed);
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(1);
  await collector.collector.close();
  expect(await collector.metric(outcome('acme', 'accepted'))).toBe(10);
});

it('the collector refunds the quota of reports that could not be written', async () => {
  const answer = { used: 0, limit: 3, month: month() };
  await using collector = await startTestCollector({ findQuota: () => answer, mostDaily: 3000 });
  await writeFile(join(collector.spool, 'acme'), '');
  for (let time = 1; time <= 5; time++) {
    await post(collector.to, violation());
    await until(async () => (await collector.metric(outcome('acme', 'spool'))) === time);
  }
  await rm(join(collector.spool, 'acme'));
  for (let time = 0; time < 4; time++) await post(collector.to, violation());
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(1);
});

it('the quota includes pending reports that the service has not counted, and resets each month', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T23:00:00Z') });
  let answer: PlanQuota = { used: 0, limit: 10, month: '2026-11' };
  const quotas = new Quotas(1000, () => answer);
  quotas.add('acme', 100, 4);
  const taken = quotas.countTaken();
  quotas.add('acme', 100, 3);
  // The importer has read two of these four reports, and the service counts five from other collectors. Three more
  // arrive during the request.
  answer = { used: 7, limit: 13, month: '2026-11' };
  quotas.rebase(taken, new Map([['acme', 2]]));
  expect([quotas.hasRoom('acme', 1, 1), quotas.hasRoom('acme', 1, 2)]).toEqual([true, false]);
  // A new process counts the reports in the files on disk, also for an account without files.
  const next = new Quotas(1000, () => answer);
  next.restore(JSON.parse(JSON.stringify(quotas.save())));
  answer = { ...answer };
  next.rebase(
    next.countTaken(),
    new Map([
      ['acme', 5],
      ['other', 6],
    ]),
  );
  expect([next.hasRoom('acme', 1, 1), next.hasRoom('acme', 1, 2)]).toEqual([true, false]);
  expect([next.hasRoom('other', 1, 0), next.hasRoom('other', 1, 1)]).toEqual([true, false]);
  pass(1);
  expect(quotas.hasRoom('acme', 1, 13)).toBe(true);
  answer = { used: 13, limit: 13, month: '2026-11' };
  quotas.rebase(quotas.countTaken(), new Map());
  expect(quotas.hasRoom('acme', 1, 13)).toBe(true);
  answer = { used: 13, limit: 13, month: '2026-12' };
  quotas.rebase(quotas.countTaken(), new Map());
  expect(quotas.hasRoom('acme', 1, 1)).toBe(false);
  // Reports that could not be written while the service was asked are not subtracted from the pending ones.
  quotas.add('failed', 0, 5);
  const before = quotas.countTaken();
  quotas.add('failed', 0, -5);
  answer = { used: 0, limit: 3, month: '2026-12' };
  quotas.rebase(before, new Map([['failed', 2]]));
  expect([quotas.hasRoom('failed', 1, 1), quotas.hasRoom('failed', 1, 2)]).toEqual([true, false]);
  pass(-60);
  expect(quotas.hasRoom('acme', 1000, 1)).toBe(true);
  expect(quotas.hasRoom('acme', 1001, 1)).toBe(false);
});

it('the quota keeps what was accepted since an answer until there is a newer one', () => {
  const answer = { used: 3, limit: 5, month: month() };
  const quotas = new Quotas(1000, () => answer);
  quotas.add('acme', 100, 1);
  quotas.rebase(quotas.countTaken(), new Map());
  expect([quotas.hasRoom('acme', 1, 1), quotas.hasRoom('acme', 1, 2)]).toEqual([true, false]);
});

it('the quota includes what this collector has accepted, even if the service has counted less', () => {
  let answer: PlanQuota = { used: 0, limit: 5, month: month() };
  const quotas = new Quotas(1000, () => answer);
  quotas.add('acme', 100, 4);
  answer = { ...answer };
  quotas.rebase(quotas.countTaken(), new Map());
  expect([quotas.hasRoom('acme', 1, 1), quotas.hasRoom('acme', 1, 2)]).toEqual([true, false]);
});

it('an account beyond its quota can store reports that do not count', () => {
  const quotas = new Quotas(1000, () => ({ used: 9, limit: 5, month: month() }));
  expect([quotas.hasRoom('acme', 1, 0), quotas.hasRoom('acme', 1, 1)]).toEqual([true, false]);
});

it('the quota includes reports of an account that begins while the service is asked', () => {
  let answer: PlanQuota | undefined;
  const quotas = new Quotas(1000, () => answer);
  const taken = quotas.countTaken();
  quotas.add('acme', 100, 2);
  answer = { used: 1, limit: 4, month: month() };
  quotas.rebase(taken, new Map());
  expect([quotas.hasRoom('acme', 1, 1), quotas.hasRoom('acme', 1, 2)]).toEqual([true, false]);
});

it('the bytes of a day are limited anew after each midnight', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-19T23:00:00Z') });
  const quotas = new Quotas(1000, () => undefined);
  for (let day = 0; day < 3; day++) {
    quotas.add('acme', 600, 1);
    expect([quotas.hasRoom('acme', 400, 1), quotas.hasRoom('acme', 401, 1)]).toEqual([true, false]);
    pass(1);
  }
});

it('the quota excludes pending reports of the previous month', async () => {
  const answer = { used: 0, limit: 5, month: month() };
  const spool = await mkdtemp(join(tmpdir(), 'sightline-test-quotas-'));
  await mkdir(join(spool, 'acme'));
  const now = new Date();
  const before = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0);
  await writeFile(join(spool, 'acme', `${before}-aaaaaaaaaaaa-0-100.ndjson`), '');
  await writeFile(join(spool, 'acme', `${now.getTime()}-aaaaaaaaaaaa-1-3.ndjson`), '');
  await using collector = await startTestCollector({ findQuota: () => answer, spool });
  await post(collector.to, `[${Array(4).fill(violation())}]`);
  expect(await collector.metric(outcome('acme', 'quota'))).toBe(2);
});
