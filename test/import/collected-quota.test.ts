import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { post, startTestCollector, violation } from '../../packages/collector/test/collecting.ts';
import { createRemoteFilters } from '../../src/collect/ask-filters.ts';
import { open, personal, plan } from '../support/fixtures.ts';
import { startService } from '../support/service.ts';
import { sightlineLasting } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const LIMIT = 60;

const report = (type: string, body: object) =>
  JSON.stringify({ type, age: 1, url: 'https://acme.example/cart', user_agent: 'Mozilla/5.0', body });

/** Reports of five types. The last two do not count towards the quota. */
const LIST = `[${[
  violation(),
  report('network-error', { type: 'tcp.reset', phase: 'dns' }),
  report('deprecation', { id: 'Old', message: 'old' }),
  report('connection-allowlist', { url: 'https://cdn.example/' }),
  report('unheard-of', { anything: 1 }),
]}]`;

it('accepts exactly the quota of reports, whether or not the importer is running', {
  tags: 'slow',
}, async () => {
  await using service = await startService();
  const key = await open(service, personal('acme'), plan('acme', { reportQuota: LIMIT }));
  const remote = createRemoteFilters(service.url, new Map([['acme', key]]), problem => expect.fail(problem));
  let requests = 0;
  const ask = () => remote.ask().then(() => void requests++);
  await using collector = await startTestCollector({ findQuota: remote.getQuota, ask, askEvery: 150 });
  /** Waits for a request that began after the call, and for its response. */
  const askAgain = async () => {
    const before = requests;
    await until(() => requests > before + 1);
  };
  const send = async (times: number) => {
    for (let time = 0; time < times; time++) expect((await post(collector.to, LIST)).status).toBe(204);
    await askAgain();
  };
  await send(5);
  await send(5);
  const command = ['import', '--watch-root', collector.spool, '--format', 'collected', '--every', '100ms'];
  const importer = sightlineLasting([...command, '--remove'], { DATABASE_URL: service.databaseUrl });
  const isTaken = async () =>
    (await readdir(join(collector.spool, 'acme'))).every(name => !name.endsWith('.ndjson'));
  try {
    for (let round = 0; round < 3; round++) {
      await until(isTaken);
      // A file that is loaded during a request counts twice until the next one.
      await askAgain();
      await send(5);
    }
    await until(isTaken);
  } finally {
    expect(await importer.end()).toMatchObject({ code: 0 });
  }
  expect((await service.get('/v1/quota', key)).body).toEqual({ used: LIMIT, limit: LIMIT });
  const counts: Record<string, number> = {};
  for (const type of ['csp', 'nel', 'deprecation', 'connection_allowlist', 'other'])
    counts[type] = (await service.get(`/export/reports/${type}?format=json`, key)).body.length;
  expect(counts).toEqual({ csp: 20, nel: 20, deprecation: 20, connection_allowlist: 25, other: 25 });
});
