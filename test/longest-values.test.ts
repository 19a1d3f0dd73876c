import { readLine } from '@sightline/feed';
import { BadLine } from '@sightline/feed/bad-line';
import { REPORT_TYPE_DEFINITIONS, type ReportField } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dimensionsOf } from '../sql/report/dimensions.ts';
import { filtersOf } from '../sql/report/filters.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { ALPHABETS, type Alphabet, BOUNDS, extreme } from './support/extremes.ts';
import { NOW, personal, plan, report } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { connectOperator } from './support/operator.ts';
import { restoredInto } from './support/restored.ts';
import { type Line, startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  service.setNow(NOW);
});
afterAll(() => service?.close());

/** The text that fills an index, one for each mark. */
const noise = (bytes: number, mark = '') => extreme('nothing that repeats', bytes, mark);
/** In npm test, that one alone. */
const alphabets = (Object.keys(ALPHABETS) as Alphabet[]).filter(name => IN_EARNEST || ALPHABETS[name] === '');
const texts = alphabets.flatMap(alphabet => BOUNDS.map(bytes => extreme(alphabet, bytes)));

/** Values at the bounds of a field, as its kind has them; those that the feed refuses are not among them. */
function valuesOf({ kind, values, fields = [] }: ReportField): unknown[] {
  const objects = (bytes: number) =>
    Object.fromEntries(
      fields.map(field => [field.name, field.kind === 'text' && !field.values ? noise(bytes) : null]),
    );
  switch (kind) {
    case 'text':
      return values ? [values.at(-1), ''] : texts;
    case 'texts':
      return BOUNDS.map(bytes =>
        Array.from({ length: Math.floor(900_000 / bytes) }, (_, index) => noise(bytes, `${index}`)),
      );
    case 'objects':
      return [[objects(255)], Array.from({ length: 1000 }, () => ({}))];
    case 'object':
      return [objects(255), {}];
    case 'integer':
      return [Number.MAX_SAFE_INTEGER, 1_000_000_000, 100, 0];
    default:
      return [];
  }
}

function isTaken(line: Line): boolean {
  try {
    readLine(JSON.stringify(line));
    return true;
  } catch (error) {
    if (error instanceof BadLine) return false;
    throw error;
  }
}

/** A report for each longest value that the feed takes of each field. */
function longestReports(account: string, type: string, fields: readonly ReportField[]): Line[] {
  return fields
    .filter(({ name, column }) => name !== 'date' && column !== 'count')
    .flatMap(field => {
      const taken: Line[] = [];
      for (const [index, value] of valuesOf(field).entries()) {
        const id = `${field.name} ${index}`;
        const line = {
          ...report(account, type, id, { date: new Date().toISOString() }),
          [field.name]: value,
        };
        if (isTaken(line)) taken.push(line);
        if (taken.length === 2 * alphabets.length) break;
      }
      return taken;
    })
    .map(line => ({ ...line, date: NOW }));
}

/** Kinds of filters that a text is given to. */
const AS_TEXT = new Set(['equals', 'contains', 'policy', 'hosts', 'paths', 'hashes']);
const AS_LIST = new Set(['hosts', 'paths', 'hashes']);
/** No argument is longer, but for policies. */
const MOST_CHARACTERS = 2048;
const canBeAskedFor = (value: unknown) =>
  typeof value === 'string' && value !== '' && [...value].length <= MOST_CHARACTERS;
const FILTERED = `query($type: ReportTypeName!, $where: ReportFilter) {
  viewer { reports(type: $type, unit: days, date: "2026-05-20", where: $where) { reports { recordId } } } }`;
const idsOf = (reports: { recordId: string }[]) => reports.map(({ recordId }) => recordId);

/** All types in test:faults; in npm test those whose fields are of the most kinds. */
const FEW = new Set<string>(['csp', 'tls_rpt']);
const types = REPORT_TYPE_DEFINITIONS.filter(({ type }) => IN_EARNEST || FEW.has(type));

describe.each(types)('the longest values of $type reports', ({ type, fields, filterOnly }) => {
  it('are loaded, again, and shown by every door', async () => {
    const account = `longest-${type}`;
    await service.load(personal(account), plan(account, {}, { threatIntelligence: true }));
    const given = [...fields, ...filterOnly].filter(({ computed }) => !computed);
    const lines = longestReports(account, type, given);
    expect(lines.length).toBeGreaterThan(3);
    for (let times = 0; times < 2; times++) await service.load(...lines);
    const key = await service.key('personal', account);

    const { status, body } = await service.get(`/v1/reports/${type}?unit=days&date=2026-05-20`, key);
    expect(status).toBe(200);
    expect(body.reports).toHaveLength(lines.length);
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
    for (const { name } of dimensionsOf(type)) {
      const groups = `reportGroups(type: $type, unit: days, date: "2026-05-20", by: [${name}]) { groups { keys { value } } }`;
      const { viewer } = await data(
        service,
        key,
        `query($type: ReportTypeName!) { viewer { ${groups} } }`,
        asking,
      );
      expect(viewer.reportGroups.groups.length, name).toBeGreaterThan(0);
    }
    for (const { name, kind, field, column } of filtersOf(type).filter(({ kind }) => AS_TEXT.has(kind))) {
      const filtered = given.find(
        known => (known.column ?? known.name) === (field ?? column) || known.name === name,
      );
      const asked = lines.filter(({ id }) => filtered && String(id).startsWith(`${filtered.name} `));
      for (const line of asked) {
        const value = line[filtered!.name];
        if (!canBeAskedFor(value)) continue;
        const where = { [name]: AS_LIST.has(kind) ? [value] : value };
        const { viewer } = await data(service, key, FILTERED, { variables: { type, where } });
        // A host or path that is none is stored as none.
        if (!AS_LIST.has(kind)) expect(idsOf(viewer.reports.reports), name).toContain(line.id);
      }
    }
  });
});

// The rows of all types are copied one by one.
if (IN_EARNEST)
  it.each(['0001', 'today'] as const)(
    'the longest values are the same after their tables were copied into the form of %s',
    async form => {
      const restored = await restoredInto(service, form);
      if (!restored) return;
      try {
        await using other = await startService({ now: NOW, databaseUrl: restored.url });
        for (const { type } of types) {
          const key = await service.key('personal', `longest-${type}`);
          const otherKey = await other.key('personal', `longest-${type}`);
          const paths = [`/v1/reports/${type}?unit=days&date=2026-05-20`];
          if (form === 'today') paths.push(`/export/reports/${type}`);
          for (const path of paths) {
            const [here, there] = [await service.get(path, key), await other.get(path, otherKey)];
            expect([path, there.status]).toEqual([path, 200]);
            expect(there.text === here.text, path).toBe(true);
          }
        }
      } finally {
        await restored.drop();
      }
    },
  );

it('ends an answer, and a page of an export, before much that was stored as little', async () => {
  await service.load(personal('much'), plan('much'));
  await service.load(report('much', 'tls_rpt', 'r', { domain: 'example.org', raw: '' }));
  const sql = connectOperator(service.databaseUrl);
  try {
    // Earlier versions took lists of any length.
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
  // In npm test an answer has a quarter of the bound that it has elsewhere.
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
