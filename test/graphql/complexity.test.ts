import { complexityFromQuery } from '@pothos/plugin-complexity';
import { getNamedType, isObjectType, parse } from 'graphql';
import { expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { readAll } from '../support/selections.ts';

/** Fields of an account that compute their answer from many reports, with arguments. */
const FIELDS = {
  insights: '',
  insightCoverage: '',
  findingGroups: '',
  watches: '',
  dayTotals: '(from: "2026-05-01")',
  graph: '(type: csp, unit: weeks, amount: 1)',
  lastSevenDays: '',
  breakdown: '',
  usageMetrics: '',
  quota: '',
  mailReadiness: '(from: "2026-05-01")',
  dmarcReplay: '(domain: "example.com", policy: "p=reject", from: "2026-05-01")',
  mtaStsReplay: '(domain: "example.com", from: "2026-05-01")',
  policyReplay: '(site: "example.com", policy: "img-src *", from: "2026-05-01")',
  policySuggestion: '(site: "example.com", baseline: "img-src *", from: "2026-05-01")',
  connectionAllowlistSuggestion: '(site: "example.com", from: "2026-05-01")',
};

/** Arguments whose lengths add to the cost. */
const LONGER = {
  policyReplay: [
    '(site: "example.com", policy: "img-src *.example.com", from: "2026-05-01")',
    '(site: "example.com", policy: "img-src *", baseline: "font-src *", from: "2026-05-01")',
    '(site: "example.com", policy: "img-src *", paths: ["/a*", "/bc"], from: "2026-05-01")',
    '(site: "example.com", policy: "img-src *", add: [{ directive: "font-src", source: "data:" }], from: "2026-05-01")',
  ],
  policySuggestion: ['(site: "example.com", baseline: "img-src *.example.com", from: "2026-05-01")'],
  connectionAllowlistSuggestion: ['(site: "example.com", baseline: ["https://a", "b"], from: "2026-05-01")'],
};

const measure = (query: string) =>
  complexityFromQuery(parse(`{ viewer { ${query} } }`), { schema: graphSchema, variables: {} }).complexity;

it('the complexity of fields is that of their statements, lists and texts', async () => {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  const text = Object.entries(FIELDS).map(([name, given]) => {
    const type = getNamedType(account.getFields()[name]!.type);
    const own = isObjectType(type) ? Object.values(type.getFields()) : [];
    const base = measure(`${name}${given} { __typename }`);
    const costs = own
      .filter(({ args }) => args.length === 0)
      .map(field => {
        const parts = readAll(getNamedType(field.type).name);
        return [field.name, measure(`${name}${given} { ${field.name} ${parts} }`)] as const;
      });
    const further = costs.filter(([, cost]) => cost !== base).map(one => one.join(' '));
    const longer = (LONGER[name as keyof typeof LONGER] ?? []).map(
      args => `${args} ${measure(`${name}${args} { __typename }`)}`,
    );
    return [`${name}${given} ${base}`, ...further, ...longer].join('\n  ');
  });
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('./recorded/complexity.txt');
});

it.each([
  ['node(id: "a") { id }', 201],
  ['account(id: "a") { id }', 101],
  // The fields of a page count once per account, and the page itself only once.
  ['accounts(first: 7) { nodes { id } }', 100 + 7],
  ['accounts(first: 7) { edges { cursor node { id } } }', 100 + 7 * 3],
  ['accounts(first: 7) { pageInfo { endCursor } }', 100 + 7],
  ...['', '(first: null)', '(first: 100)', '(first: 101)'].map(
    first => [`accounts${first} { nodes { id } }`, 200] as const,
  ),
  ...[0, -5].map(first => [`accounts(first: ${first}) { nodes { id } }`, 101] as const),
  ['viewer { report(type: csp, id: "a") { date } }', 102],
  [`viewer { certificate(sha256: "${'a'.repeat(64)}") { pem } }`, 102],
  ['viewer { reports(type: csp, from: "2026-05-01") { truncated } }', 102],
  ['viewer { reports(type: csp, from: "2026-05-01") { reports { date } } }', 101 + 1000 + 1000],
  ['viewer { cspReports(unit: days, date: "2026-05-01") { reports { uri } } }', 101 + 1000 + 1000],
  [
    'viewer { tlsRptReports(unit: days, date: "2026-05-01") { reports { failureDetails { resultType } } } }',
    101 + 1000 + 1000 * 3,
  ],
  ['viewer { reportGroups(type: csp, from: "2026-05-01", by: [DAY]) { totalCount } }', 102],
  ['viewer { reportGroups(type: csp, from: "2026-05-01", by: [DAY], orderBy: RISE) { totalCount } }', 202],
  ['viewer { reportGroups(type: csp, from: "2026-05-01", by: [DAY]) { groups { count } } }', 101 + 1000],
  [
    'viewer { reportGroups(type: csp, from: "2026-05-01", by: [DAY]) { groups { keys { value } } } }',
    101 + 2000,
  ],
  // A tenth of an event counts as a whole one only if there are no more.
  ['viewer { auditLog(limit: 5) { truncated } }', 102],
  ['viewer { auditLog(limit: 25) { truncated } }', 103.5],
  ['viewer { auditLog { truncated } }', 201],
] as const)('the complexity of %s is %d', (query, cost) => {
  const { complexity } = complexityFromQuery(parse(`{ ${query} }`), { schema: graphSchema, variables: {} });
  expect(complexity).toBe(cost);
});
