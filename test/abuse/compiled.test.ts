import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../faults/scale.ts';
import { auditEvent, NOW, team } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let tokens: string[];

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('ada'), ...belongings('ada'), ...['b', 'c'].map(id => auditEvent('ada', id)));
  tokens = [await service.key('team', 'ada'), await service.key('internal')];
});
afterAll(() => service.close());

/** Names of built-in object properties, among others. */
const NAMES = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__typename', 'v', '_0'];

interface Use {
  type: string;
  field: (name: string) => string;
  values: Arbitrary<unknown>;
}

const hosts = fc.constantFrom('nobody.example', '*', '*.example.com', '', '__proto__');
const USES: readonly Use[] = [
  {
    type: 'PageLimit',
    field: name => `auditLog(limit: $${name}) { truncated events { eventId } }`,
    values: fc.constantFrom<unknown>(1, 2, 0, -1, '1', null, [1], {}),
  },
  {
    type: '[HostPattern!]',
    field: name => `nelReports(unit: days, date: 20260520, hostnames: $${name}) { reports { recordId } }`,
    values: fc.oneof(fc.array(hosts, { maxLength: 3 }), hosts, fc.constantFrom(null, 7)),
  },
  {
    type: 'WatchProduct',
    field: name => `watches(product: $${name}) { product site }`,
    values: fc.constantFrom<unknown>('script', 'policy', null, '__proto__', 1),
  },
  {
    type: 'GraphAmount!',
    field: name => `graph(type: nel, unit: months, amount: $${name}) { amount }`,
    values: fc.constantFrom<unknown>(3, 6, 5, '12', null),
  },
];

interface Question {
  query: string;
  variables: Record<string, unknown>;
}

/** A query whose variables have unusual names. Each variable may be missing. */
const questions: Arbitrary<Question> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: USES.length })
  .chain(names =>
    fc.tuple(
      ...names.map(name =>
        fc
          .constantFrom(...USES)
          .chain(use =>
            fc.tuple(fc.constant(name), fc.constant(use), fc.option(use.values, { nil: MISSING })),
          ),
      ),
    ),
  )
  .map(chosen => {
    const defined = chosen.map(([name, { type }]) => `$${name}: ${type}`).join(', ');
    const fields = chosen.map(([name, { field }], index) => `a${index}: ${field(name)}`).join(' ');
    const given = chosen.filter(([, , value]) => value !== MISSING).map(([name, , value]) => [name, value]);
    // Unlike an assignment, this makes __proto__ an ordinary property.
    return {
      query: `query(${defined}) { accounts(first: 2) { nodes { ${fields} } } viewer { ${fields} } }`,
      variables: Object.fromEntries(given),
    };
  });

const MISSING = Symbol('missing');

it('a query returns the same response before and after its compilation, for any variable names', {
  tags: 'slow',
}, async () => {
  const property = fc.asyncProperty(questions, fc.constantFrom(0, 1), async ({ query, variables }, token) => {
    const answers = [];
    for (let run = 1; run <= 4; run++) {
      answers.push((await ask(service, tokens[token]!, query, { variables })).text);
    }
    expect(new Set(answers).size, answers.join('\n')).toBe(1);
  });
  await fc.assert(property, { ...runs(15, 1000), seed: 4711, endOnFailure: true });
});
