import { Rows } from '@sightline/postgres';
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
import type { Database, OwnedRow } from '../sql/client.ts';
import { filterConfigurations } from '../sql/filters.ts';
import { policies, wizards } from '../sql/policies.ts';
import { type GroupedReports, type Grouping, reportGroups } from '../sql/report-groups.ts';
import { authorisations } from '../sql/script-authorisations.ts';
import { findings, type WatchKey, watches } from '../sql/watches.ts';
import { daysOf } from './calendar.ts';
import { GraphPeriods } from './graph-periods.ts';

/** Many keys in; as many values out, in the same order. */
type Batch<Key, Value> = (keys: readonly Key[]) => Promise<Value[]>;
type Load<Key, Value> = (key: Key) => Promise<Value>;
type OwnedQuery<Row extends OwnedRow> = (db: Database, ids: readonly AccountId[]) => Promise<Rows<Row>>;

/** The forms of loaders: for one account, or batched over the accounts of a query. */
interface Calling {
  call<Key, Value>(batch: Batch<Key, Value>, identity?: (key: Key) => unknown): Load<Key, Value>;
  /** A loader for each set of arguments, since one statement can only serve equal ones. */
  perArguments<Arguments extends object, Made>(make: (args: Arguments) => Made): (args: Arguments) => Made;
}

/** Gathers what the resolvers of one tick ask for into one statement a kind. */
const gathered: Calling = {
  call(batch, identity = key => key) {
    const loader = new DataLoader(batch, { cacheKeyFn: identity });
    return key => loader.load(key);
  },
  perArguments(make) {
    const made = new Map<string, ReturnType<typeof make>>();
    return args => {
      const name = JSON.stringify(args);
      const known = made.get(name) ?? make(args);
      made.set(name, known);
      return known;
    };
  },
};

/** One account needs no gathering: it would cost a tick, and a tenth of a small answer. */
const direct: Calling = {
  call: batch => async key => (await batch([key]))[0]!,
  perArguments: make => make,
};

export type Loaders = ReturnType<typeof createLoaders>;

function createLoaders(db: Database, { call, perArguments }: Calling) {
  const one = <Row extends OwnedRow>(query: OwnedQuery<Row>) =>
    call((ids: readonly AccountId[]) => query(db, ids).then(rows => firstByAccount(ids, rows)));
  const many = <Row extends OwnedRow>(query: OwnedQuery<Row>) =>
    call((ids: readonly AccountId[]) => query(db, ids).then(rows => allByAccount(ids, rows)));

  return {
    team: one(teams),
    setup: one(setups),
    filterConfiguration: one(filterConfigurations),
    wizard: one(wizards),
    policies: many(policies),
    watches: many(watches),
    authorisations: many(authorisations),
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
      const periods = (rows: Rows<DirectiveTotalRow>) => new GraphPeriods(rows, daysOf(days), type === 'csp');
      return call(async (ids: readonly AccountId[]) => {
        if (ids.length === 1) return [periods(await directiveTotals(db, ids[0]!, type, days))];
        const ofAll = allByAccount(ids, await directiveTotalsOfMany(db, ids, type, days));
        return ofAll.map(rows => periods(Rows.of(rows)));
      });
    }),
  };
}

/** For a query over any number of accounts. Good for one request. */
export const gatheringLoaders = (db: Database): Loaders => createLoaders(db, gathered);

/** For requests about one account. Keeps nothing, so it serves all of them. */
export const directLoaders = (db: Database): Loaders => createLoaders(db, direct);

function firstByAccount<Row extends OwnedRow>(
  ids: readonly AccountId[],
  rows: Rows<Row>,
): (Row | undefined)[] {
  const byAccount = new Map(rows.objects().map(row => [row.account_id, row]));
  return ids.map(id => byAccount.get(id));
}

function allByAccount<Row extends OwnedRow>(ids: readonly AccountId[], rows: Rows<Row>): Row[][] {
  const byAccount = new Map(ids.map(id => [id, [] as Row[]]));
  for (const row of rows) byAccount.get(row.account_id)?.push(row);
  return ids.map(id => byAccount.get(id)!);
}
