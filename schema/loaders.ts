import { beginTurn, isWorkWaiting, nextTurn } from '@sightline/csp';
import { Rows } from '@sightline/pg-client';
import type { ReportType } from '@sightline/reports';
import DataLoader from 'dataloader';
import { setups, teams } from '../sql/account.ts';
import type { AccountId } from '../sql/account-id.ts';
import {
  type Days,
  type DirectiveTotalRow,
  dayTotals,
  directiveTotals,
  directiveTotalsOfMany,
  typeTotals,
  usage,
} from '../sql/analytics.ts';
import type { Database, TenantRow } from '../sql/client.ts';
import { filterConfigurations } from '../sql/filters.ts';
import { policies, wizards } from '../sql/policies.ts';
import { type GroupedReports, type Grouping, reportGroups } from '../sql/report-groups.ts';
import { verdicts } from '../sql/team-verdicts.ts';
import { findings, type WatchKey, watches } from '../sql/watches.ts';
import { listDays } from './calendar.ts';
import { GraphPeriods } from './graph-periods.ts';

/** Maps keys to values in the same order. */
type Batch<Key, Value> = (keys: readonly Key[]) => Promise<Value[]>;
type Load<Key, Value> = (key: Key) => Promise<Value>;
type TenantQuery<Row extends TenantRow> = (db: Database, ids: readonly AccountId[]) => Promise<Rows<Row>>;

/** How loaders call their batches: for a single account, or batched over the accounts of a query. */
interface LoaderFactory {
  call<Key, Value>(batch: Batch<Key, Value>, identity?: (key: Key) => unknown): Load<Key, Value>;
  /** Creates a loader for each set of arguments, because a statement can only serve keys with the same arguments. */
  perArguments<Arguments extends object, Made>(make: (args: Arguments) => Made): (args: Arguments) => Made;
}

/**
 * Dispatches a batch after the promise jobs of this tick, as DataLoader does by default. If fields of the query still
 * wait for their turn, it waits behind them, so that their lookups belong to the same batch.
 */
function scheduleBatch(dispatch: () => void): void {
  const dispatchInTurn = () => (isWorkWaiting() ? void beginTurn().then(dispatch) : dispatch());
  Promise.resolve().then(() => process.nextTick(dispatchInTurn));
}

/** Batches the lookups of one tick into one statement per kind. */
const gathered: LoaderFactory = {
  call(batch, identity = key => key) {
    const loader = new DataLoader(batch, { cacheKeyFn: identity, batchScheduleFn: scheduleBatch });
    return key => loader.load(key);
  },
  perArguments(make) {
    const made = new Map<string, ReturnType<typeof make>>();
    return args => {
      const name = JSON.stringify(args);
      const existing = made.get(name) ?? make(args);
      made.set(name, existing);
      return existing;
    };
  },
};

/** A single account needs no batching, which would delay each lookup by a tick. */
const direct: LoaderFactory = {
  call: batch => async key => (await batch([key]))[0]!,
  perArguments: make => make,
};

export type Loaders = ReturnType<typeof createLoaders>;

function createLoaders(db: Database, { call, perArguments }: LoaderFactory) {
  const one = <Row extends TenantRow>(query: TenantQuery<Row>) =>
    call((ids: readonly AccountId[]) => query(db, ids).then(rows => firstByAccount(ids, rows)));
  const many = <Row extends TenantRow>(query: TenantQuery<Row>) =>
    call((ids: readonly AccountId[]) =>
      query(db, ids).then(async rows => allByAccount(ids, await rows.objectsInTurns(nextTurn))),
    );

  return {
    team: one(teams),
    setup: one(setups),
    filterConfiguration: one(filterConfigurations),
    wizard: one(wizards),
    policies: many(policies),
    watches: many(watches),
    verdicts: many(verdicts),
    findings: perArguments(({ first }: { first?: number }) =>
      call(
        (keys: readonly WatchKey[]) => findings(db, keys, first),
        ({ account_id, product, siteKey }) => `${account_id}\n${product}\n${siteKey}`,
      ),
    ),
    reportGroups: perArguments((query: GroupedReports) =>
      call((groupings: readonly Grouping[]) => reportGroups(db, query, groupings)),
    ),
    dayTotals: perArguments((days: Days) => many((_, ids) => dayTotals(db, ids, days))),
    typeTotals: perArguments((days: Days) => many((_, ids) => typeTotals(db, ids, days))),
    usage: perArguments((days: Days) => many((_, ids) => usage(db, ids, days))),
    graphPeriods: perArguments(({ type, ...days }: { type: ReportType } & Days) => {
      const periods = (rows: Rows<DirectiveTotalRow>) =>
        new GraphPeriods(rows, listDays(days), type === 'csp');
      return call(async (ids: readonly AccountId[]) => {
        if (ids.length === 1) return [periods(await directiveTotals(db, ids[0]!, type, days))];
        const ofAll = allByAccount(ids, (await directiveTotalsOfMany(db, ids, type, days)).objects());
        return ofAll.map(rows => periods(Rows.of(rows)));
      });
    }),
  };
}

/** For a query over several accounts. The loaders are valid for one request. */
export const gatheringLoaders = (db: Database): Loaders => createLoaders(db, gathered);

/** For requests about a single account. These loaders cache nothing, so they can be shared. */
export const directLoaders = (db: Database): Loaders => createLoaders(db, direct);

function firstByAccount<Row extends TenantRow>(
  ids: readonly AccountId[],
  rows: Rows<Row>,
): (Row | undefined)[] {
  const byAccount = new Map(rows.objects().map(row => [row.account_id, row]));
  return ids.map(id => byAccount.get(id));
}

function allByAccount<Row extends TenantRow>(ids: readonly AccountId[], rows: readonly Row[]): Row[][] {
  const byAccount = new Map(ids.map(id => [id, [] as Row[]]));
  for (const row of rows) byAccount.get(row.account_id)?.push(row);
  return ids.map(id => byAccount.get(id)!);
}
