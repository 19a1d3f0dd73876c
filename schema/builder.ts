import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import SubGraphPlugin from '@pothos/plugin-sub-graph';
import type { Rows } from '@sightline/postgres';
import type { Account } from '../sql/account.ts';
import type { WatchRow } from '../sql/watches.ts';
import type { Context } from './context.ts';

/**
 * `rest`: what SOFA maps onto `/v1`. Its selections are all fields of a type, so a field that `/v1` must not
 * show says `subGraphs: ['graph']`. `graph`: what `/graphql` shows.
 */
export const builder = new SchemaBuilder<{
  Context: Context;
  Objects: { Account: Account; Watch: WatchRow };
  DefaultFieldNullability: false;
  SubGraphs: 'rest' | 'graph';
  Scalars: {
    DateTime: { Input: string; Output: string };
    Date: { Input: string; Output: string };
    Counter: { Input: number; Output: number };
    Flag: { Input: number; Output: number };
    Counts: { Input: never; Output: Record<string, number> };
    Cursor: { Input: string; Output: string };
    PageLimit: { Input: number; Output: number };
    Instant: { Input: string; Output: string };
    PeriodDate: { Input: string; Output: string };
    FilterText: { Input: string; Output: string };
    PolicyText: { Input: string; Output: string };
    HostPattern: { Input: string; Output: string };
    PathPattern: { Input: string; Output: string };
    ReputationScore: { Input: number; Output: number };
    Sha256: { Input: string; Output: string };
    HostName: { Input: string; Output: string };
    PathText: { Input: string; Output: string };
    GraphAmount: { Input: number; Output: number };
  };
}>({
  plugins: [SubGraphPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  subGraphs: { defaultForTypes: ['rest', 'graph'], fieldsInheritFromTypes: true },
  // The rule of src/graphql/limits.ts looks at a document once, before it runs; nothing is left to do at run time.
  complexity: { disabled: true, defaultListMultiplier: 10 },
});

/**
 * The cost of a field that sends a statement of its own for each object, in the unit of `complexity`: about one
 * value in the answer.
 */
export const OWN_STATEMENT = 100;

/** Rows as the items of a list: GraphQL takes whatever can be iterated, where Pothos's types ask for an array. */
export function itemsOf<Row extends object>(rows: Rows<Row>): readonly Row[] {
  return rows as unknown as readonly Row[];
}

builder.queryType({ description: 'What can be asked. Everything is read-only.' });
