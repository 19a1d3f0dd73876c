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
