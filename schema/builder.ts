import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import SubGraphPlugin from '@pothos/plugin-sub-graph';
import type { Rows } from '@sightline/pg-client';
import type { Account } from '../sql/account.ts';
import type { WatchRow } from '../sql/watches.ts';
import type { Context } from './context.ts';

/**
 * The `rest` subgraph contains the fields that SOFA maps onto `/v1`. SOFA selects all fields of a type, so a field that
 * `/v1` must not show has `subGraphs: ['graph']`. The `graph` subgraph contains the fields of `/graphql`.
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
    DmarcText: { Input: string; Output: string };
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
  // src/graphql/limits.ts checks documents before they run, so the plugin's check is not needed.
  complexity: { disabled: true, defaultListMultiplier: 10 },
});

/**
 * The cost of a field that sends a statement per object, in units of `complexity`: one unit is about one value of the
 * response.
 */
export const OWN_STATEMENT = 100;

/** Returns rows as list items. GraphQL accepts any iterable, but the types of Pothos require an array. */
export function toItems<Row extends object>(rows: Rows<Row>): readonly Row[] {
  return rows as unknown as readonly Row[];
}

builder.queryType({ description: 'The queries of the API. Everything is read-only.' });

/** Returns the values of an enum type from their descriptions. Each value is its own name. */
export function toEnumValues<Name extends string>(descriptions: Readonly<Record<Name, string>>) {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { value: name, description }]),
  ) as Record<Name, { value: Name; description: string }>;
}
