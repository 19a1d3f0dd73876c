import { BROWSER_TYPES } from '@sightline/importer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { readOthersAgain } from '../../src/feed/read-others-again.ts';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const DATE = `${TODAY}T00:00:01.250Z`;
const PAGE = 'https://shop.example/cart';
const toDate = (milliseconds: number) => new Date(Date.parse(DATE) + milliseconds).toISOString();

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A report as stored by a version that did not know its type. */
function other(account: string, id: string, wireType: string, body: unknown, fields: object = {}) {
  const raw = JSON.stringify({ age: 5, type: wireType, url: PAGE, body });
  return report(account, 'other', id, {
    date: DATE,
    uri: PAGE,
    wireType,
    raw,
    browser: 'Chrome',
    count: 3,
    ...fields,
  });
}

async function readAgain(types?: typeof BROWSER_TYPES): Promise<number> {
  const [sql, second] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
  try {
    return await readOthersAgain(sql, new Announcer(second, 0), types);
  } finally {
    await Promise.all([sql.end(), second.end()]);
  }
}

async function listTypes(key: string) {
  const query = `{ viewer { breakdown { other deprecation connection_allowlist }
    other: reports(type: other, unit: days, date: "${TODAY}") { reports { recordId } }
    known: reports(type: deprecation, unit: days, date: "${TODAY}") { reports {
      recordId date count raw ... on DeprecationReport { uri featureId browser platform samplingRate } } } } }`;
  return (await data(service, key, query)).viewer;
}

describe('a report of a newly supported type', () => {
  it('is converted under the same id and counted under its type', async () => {
    const key = await open(service, personal('invented'), plan('invented'));
    const body = { id: 'SoftLint', message: 'x' };
    await service.load(
      other('invented', 'r-1', 'soft-lint', body, { platform: 'Linux', samplingRate: 0.25 }),
      other('invented', 'r-2', 'hard-lint', body),
      other('invented', 'r-3', 'soft-lint', 'no object'),
      other('invented', 'r-4', 'soft-lint', body, { raw: '{"type":"soft-lint","body":' }),
    );
    const types = { ...BROWSER_TYPES, 'soft-lint': BROWSER_TYPES.deprecation };
    expect(await readAgain()).toBe(0);
    expect(await readAgain(types)).toBe(1);
    const { breakdown, other: left, known: existing } = await listTypes(key);
    expect(breakdown).toEqual({ other: 9, deprecation: 3, connection_allowlist: 0 });
    expect(left.reports.map(({ recordId }: { recordId: string }) => recordId).sort()).toEqual([
      'r-2',
      'r-3',
      'r-4',
    ]);
    expect(existing.reports).toEqual([
      {
        recordId: 'r-1',
        date: `${TODAY}T00:00:01+00:00`,
        count: 3,
        raw: JSON.stringify({ age: 5, type: 'soft-lint', url: PAGE, body }),
        uri: PAGE,
        featureId: 'SoftLint',
        browser: 'Chrome',
        platform: 'Linux',
        samplingRate: 0.25,
      },
    ]);
    const { version } = await account('invented');
    expect(await readAgain(types)).toBe(0);
    expect(await account('invented')).toEqual({ version });
    expect(await findDate('r-1')).toEqual(new Date(DATE));
  });

  it('is converted for every account, in several batches', { tags: 'slow' }, async () => {
    const key = await open(service, personal('many'), plan('many'));
    const second = await open(service, personal('second'), plan('second'));
    const lines = (account: string, count: number) =>
      Array.from({ length: count }, (_, at) =>
        // The dates are not in the order of the ids.
        other(account, `r-${at}`, 'step-lint', { id: 'S' }, { count: 1, date: toDate(count - at) }),
      );
    await service.load(...lines('many', 2500), ...lines('second', 1));
    expect(await readAgain({ ...BROWSER_TYPES, 'step-lint': BROWSER_TYPES.deprecation })).toBe(2501);
    expect((await listTypes(key)).breakdown).toMatchObject({ other: 0, deprecation: 2500 });
    expect((await listTypes(second)).breakdown).toMatchObject({ other: 0, deprecation: 1 });
  });

  it('is converted by "maintain", which reports that', { tags: 'slow' }, async () => {
    const key = await open(service, personal('maintained'), plan('maintained'));
    const body = { url: PAGE, connection: 'https://cdn.example/x', allowlist: [], disposition: 'report' };
    await service.load(other('maintained', 'r-1', 'connection-allowlist', body));
    const { code, stdout } = await sightlineHere(['maintain'], { DATABASE_URL: service.databaseUrl });
    expect(code).toBe(0);
    expect(stdout).toContain('Read 1 report again, whose type is supported now.\n');
    expect((await listTypes(key)).breakdown).toMatchObject({ other: 0, connection_allowlist: 3 });
  });
});

async function account(id: string): Promise<{ version: string }> {
  const sql = connectOperator(service.databaseUrl);
  const [row] = await sql`select version::text from account where id = ${id}`;
  await sql.end();
  return row;
}

async function findDate(id: string): Promise<unknown> {
  const sql = connectOperator(service.databaseUrl);
  const [row] = await sql`select date from report where account_id = 'invented' and id = ${id}`;
  await sql.end();
  return row!.date;
}
