import { REPORT_TYPE_DEFINITIONS, REST_REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDimensions } from '../sql/report/dimensions.ts';
import { listFilters } from '../sql/report/filters.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { longestReports } from './support/extreme-records.ts';
import { ALPHABETS, type Alphabet } from './support/extremes.ts';
import { NOW, personal, plan, report } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { connectOperator } from './support/operator.ts';
import { restoreToNewDatabase } from './support/restored.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  service.setNow(NOW);
});
afterAll(() => service?.close());

/** The only text that npm test tries. */
const alphabets = (Object.keys(ALPHABETS) as Alphabet[]).filter(name => IN_EARNEST || ALPHABETS[name] === '');
/** Kinds of filters whose value is a string. */
const AS_TEXT = new Set(['equals', 'contains', 'policy', 'hosts', 'paths', 'hashes']);
const AS_LIST = new Set(['hosts', 'paths', 'hashes']);
/** The maximum length of an argument, apart from policies. */
const MOST_CHARACTERS = 2048;
const isFilterable = (value: unknown) =>
  typeof value === 'string' && value !== '' && [...value].length <= MOST_CHARACTERS;
const FILTERED = `query($type: ReportTypeName!, $where: ReportFilter) {
  viewer { reports(type: $type, unit: days, date: "2026-05-20", where: $where) { reports { recordId } } } }`;
const toIds = (reports: { recordId: string }[]) => reports.map(({ recordId }) => recordId);

/** In test:faults, all types; in npm test, the one with the most fields. */
const types = REPORT_TYPE_DEFINITIONS.filter(({ type }) => IN_EARNEST || type === 'csp');

/** The lists of this type under `/v1`, which does not have the types newer than its specification. */
const listPaths = (type: string) =>
  REST_REPORT_TYPES.filter(name => name === type).map(
    name => `/v1/reports/${name}?unit=days&date=2026-05-20`,
  );

describe.each(types)('the longest values of $type reports', ({ type, fields, filterOnly }) => {
  it('can be loaded twice and are returned by every endpoint', { tags: 'slow' }, async () => {
    const account = `longest-${type}`;
    await service.load(personal(account), plan(account, {}, { threatIntelligence: true }));
    const given = [...fields, ...filterOnly].filter(({ computed }) => !computed);
    const lines = longestReports(account, type, given, alphabets, NOW);
    expect(lines.length).toBeGreaterThan(3);
    for (let times = 0; times < 2; times++) await service.load(...lines);
    const key = await service.key('personal', account);

    for (const path of listPaths(type)) {
      const { status, body } = await service.get(path, key);
      expect(status).toBe(200);
      expect(body.reports).toHaveLength(lines.length);
    }
    for (const form of ['ndjson', 'csv', 'json']) {
      const whole = await service.get(`/export/reports/${type}?format=${form}`, key);
      expect(whole.status).toBe(200);
      expect(whole.text.length).toBeGreaterThan(64 * 1024);
    }
    let found = 0;
    for (let after = ''; ; ) {
      const page = await service.get(`/export/reports/${type}?after=${after}`, key);
      expect(page.status).toBe(200);
      const rows = page.text.split('\n').filter(line => line !== '');
      if (rows.length === 0) break;
      found += rows.length;
      after = page.headers.get('sightline-cursor')!;
    }
    expect(found).toBe(lines.length);

    const asking = { variables: { type } };
    for (const { name } of listDimensions(type)) {
      const groups = `reportGroups(type: $type, unit: days, date: "2026-05-20", by: [${name}]) { groups { keys { value } } }`;
      const { viewer } = await data(
        service,
        key,
        `query($type: ReportTypeName!) { viewer { ${groups} } }`,
        asking,
      );
      expect(viewer.reportGroups.groups.length, name).toBeGreaterThan(0);
    }
    for (const { name, kind, field, column } of listFilters(type).filter(({ kind }) => AS_TEXT.has(kind))) {
      const filtered = given.find(
        existing => (existing.column ?? existing.name) === (field ?? column) || existing.name === name,
      );
      const expectedLines = lines.filter(({ id }) => filtered && String(id).startsWith(`${filtered.name} `));
      for (const line of expectedLines) {
        const value = line[filtered!.name];
        if (!isFilterable(value)) continue;
        const where = { [name]: AS_LIST.has(kind) ? [value] : value };
        const { viewer } = await data(service, key, FILTERED, { variables: { type, where } });
        // Invalid hosts and paths are stored as null.
        if (!AS_LIST.has(kind)) expect(toIds(viewer.reports.reports), name).toContain(line.id);
      }
    }
  });
});

// Rows of every type are copied one at a time.
if (IN_EARNEST)
  it('the longest values are the same after a restore into a new database', async () => {
    const restored = await restoreToNewDatabase(service);
    if (!restored) return;
    try {
      await using other = await startService({ now: NOW, databaseUrl: restored.url });
      for (const { type } of types) {
        const key = await service.key('personal', `longest-${type}`);
        const otherKey = await other.key('personal', `longest-${type}`);
        for (const path of [...listPaths(type), `/export/reports/${type}`]) {
          const [here, there] = [await service.get(path, key), await other.get(path, otherKey)];
          expect([path, there.status]).toEqual([path, 200]);
          expect(there.text === here.text, path).toBe(true);
        }
      }
    } finally {
      await restored.drop();
    }
  });

it('responses and export pages are cut before compactly stored values become too large', {
  tags: 'slow',
}, async () => {
  await service.load(personal('much'), plan('much'));
  await service.load(report('much', 'tls_rpt', 'r', { domain: 'example.org', raw: '' }));
  const sql = connectOperator(service.databaseUrl);
  try {
    // Earlier versions accepted lists of any length.
    await sql`
      insert into report (account_id, type, date, id, count, raw, extra)
      select account_id, type, date, 'r' || n, 1, '', jsonb_build_object('failureDetails', list)
      from report, generate_series(1, ${IN_EARNEST ? 14 : 6}) n,
        (select jsonb_agg('{}'::jsonb) as list from generate_series(1, 20000)) lists
      where account_id = 'much'`;
  } finally {
    await sql.end();
  }
  const key = await service.key('personal', 'much');
  // In npm test, responses are limited to a quarter of the default size.
  const bound = (IN_EARNEST ? 32 : 8) * 1024 * 1024;
  await using bounded = await startService({
    now: NOW,
    databaseUrl: service.databaseUrl,
    ...(!IN_EARNEST && { longestAnswer: bound }),
  });
  const { body, text } = await bounded.get('/v1/reports/tls_rpt?unit=days&date=2026-05-20', key);
  expect(body.truncated).toBe(true);
  expect(text.length).toBeLessThan(bound + 1024 * 1024);
  const page = await service.get('/export/reports/tls_rpt?after=', key);
  expect(page.text.length).toBeLessThan(13 * 1024 * 1024);
  expect(page.text.split('\n').length).toBeGreaterThan(2);
});
