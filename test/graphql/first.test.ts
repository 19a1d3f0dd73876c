import { GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { NOW, open, personal, plan, watch } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let internal: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(watch('ada', 'script', 'shop.example'));
  internal = await service.key('internal');
});
afterAll(() => service.close());

const PERIOD = 'type: csp, from: "2026-05-01"';

/** A document of each field that has the argument, and its maximum if a larger number is an error. */
const FIELDS: Record<string, [document: (first: number) => string, most?: number]> = {
  'Query.accounts': [first => `{ accounts(first: ${first}) { nodes { id } } }`, 100],
  'Account.policies': [first => `{ viewer { policies(first: ${first}) { policyId } } }`],
  'Account.reports': [first => `{ viewer { reports(${PERIOD}, first: ${first}) { truncated } } }`],
  'Account.reportGroups': [
    first => `{ viewer { reportGroups(${PERIOD}, by: [DAY], first: ${first}) { totalCount } } }`,
    1000,
  ],
  'Account.findingGroups': [first => `{ viewer { findingGroups(first: ${first}) { totalCount } } }`, 1000],
  'Watch.findings': [first => `{ viewer { watches { findings(first: ${first}) { __typename } } } }`, 1000],
};

it('the table contains every field with the argument', () => {
  const all = Object.values(graphSchema.getTypeMap()).flatMap(type =>
    type instanceof GraphQLObjectType
      ? Object.values(type.getFields())
          .filter(({ args }) => args.some(({ name }) => name === 'first'))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  expect(all.sort()).toEqual(Object.keys(FIELDS).sort());
});

describe.each(Object.entries(FIELDS))('the argument first of %s', (field, [document, most]) => {
  const send = (first: number) => ask(service, field === 'Query.accounts' ? internal : key, document(first));

  it.each([-1, 0, ...(most ? [most + 1] : [])])('must not be %i', async first => {
    const { body } = await send(first);
    expect(body.errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/\bfirst\b.* 1\b/) }),
    ]);
  });

  it.each([1, most ?? 1_000_000])('can be %i', async first => {
    const { status, body } = await send(first);
    expect([status, body.errors]).toEqual([200, undefined]);
  });
});
