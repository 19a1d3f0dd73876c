import { REPORT_TYPES, REST_REPORT_TYPES } from '@sightline/reports';
import { type GraphQLArgument, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { belongings, everyRoute } from '../support/routes.ts';
import { readAll } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';

/** A rule for all routes and fields: none returns a report from before the retention period, or its content. */
let service: TestService;
/** Accounts with the same data, which is too old for the retention of one and within that of the other. */
let [short, long] = ['', ''];

const MARK = 'past-retention';
const DAY = '2026-04-01';

beforeAll(async () => {
  service = await startService({ now: NOW });
  const toKey = async (id: string, dataRetentionDays: number) => {
    const key = await open(service, personal(id), plan(id, { dataRetentionDays }, THREAT_INTELLIGENCE));
    await service.load(
      ...belongings(id).filter(({ kind }) => kind !== 'plan'),
      ...REPORT_TYPES.map(type =>
        report(id, type, `${MARK}-${type}`, {
          date: `${DAY}T12:00:00Z`,
          raw: MARK,
          ...('uri' in report(id, type, 'x') ? { uri: `https://old.example/${MARK}` } : {}),
        }),
      ),
    );
    return key;
  };
  short = await toKey('short', 30);
  long = await toKey('long', 90);
});
afterAll(() => service.close());

it('no route returns a report from before the retention', async () => {
  const showing: string[] = [];
  for (const { target, teamOnly } of await everyRoute()) {
    if (teamOnly) continue;
    const requested = target.replaceAll('2026-05-20', DAY);
    const both = requested.startsWith('/export') ? [requested, `${requested}?after=`] : [requested];
    for (const path of both) {
      const { status, text } = await service.get(path, short);
      expect([path, status]).toEqual([path, 200]);
      expect(text, path).not.toContain(MARK);
      if ((await service.get(path, long)).text.includes(MARK)) showing.push(path);
    }
  }
  // All lists and exports of reports, and data that is derived from them.
  expect(showing.length).toBeGreaterThanOrEqual(REST_REPORT_TYPES.length + 2 * REPORT_TYPES.length);
});

/** Values of arguments that select reports from before the retention period. */
const VALUES: Readonly<Record<string, string>> = {
  type: 'csp',
  unit: 'days',
  date: `"${DAY}"`,
  id: `"${MARK}-csp"`,
  by: '[BLOCKED_HOST]',
  since: `"${DAY}T00:00:00Z"`,
  from: `"${DAY}T00:00:00Z"`,
  amount: '1',
  site: '"old.example"',
  domain: '"old.example"',
  // As a Content Security Policy, this has no directive.
  policy: '"p=none"',
  baseline: `"default-src 'none'"`,
  sha256: `"${'0'.repeat(64)}"`,
};

/** Selecting all fields of all report types would exceed the limits of a query. */
const SELECTIONS: Readonly<Record<string, string>> = {
  reports: '{ reports { recordId raw } }',
  report: '{ recordId raw }',
};

/** Returns the required arguments and the start of the period, which together select old reports. */
function readArguments(field: string, args: readonly GraphQLArgument[]): string {
  const names = args.map(({ name }) => name);
  const period = names.includes('from')
    ? ['from']
    : ['unit', 'date', 'since'].filter(name => names.includes(name));
  const required = args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const given = [...new Set([...required.map(({ name }) => name), ...period])].map(name => {
    const value = name === 'unit' && field === 'graph' ? 'weeks' : VALUES[name];
    if (!value) throw new Error(`Account.${field} needs ${name}: add a value to VALUES of this test`);
    return `${name}: ${value}`;
  });
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

it('no field of an account returns a report from before the retention', { tags: 'slow' }, async () => {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  const showing: string[] = [];
  for (const { name, type, args } of Object.values(account.getFields())) {
    const selection = SELECTIONS[name] ?? readAll(String(type).replace(/[[\]!]/g, ''));
    const query = `{ viewer { ${name}${readArguments(name, args)} ${selection} } }`;
    const { body, text } = await ask(service, short, query);
    expect([name, body.errors?.[0]?.message]).toEqual([name, undefined]);
    expect(text, query).not.toContain(MARK);
    if ((await ask(service, long, query)).text.includes(MARK)) showing.push(name);
  }
  expect(showing).toEqual(expect.arrayContaining(['report', 'reports', 'cspReports', 'nelReports']));
});
