import type { Address } from '../../address.ts';
import {
  type GroupBy,
  type GroupCountsFragment,
  PastDocument,
  type ReportTypeQuery,
} from '../../documents/documents.generated.ts';
import { orderIn, toQuestion } from '../../filters.ts';
import { nameOfGroup } from '../../parts/group-table.tsx';
import { neighbour, newIn, periodIn, toSpan } from '../../period.ts';
import type { ReportTypeView, ViewGrouping } from '../../report-types.ts';
import { TABLES, type Table } from '../../tables.generated.ts';
import { useAnswer } from '../../use-answer.ts';

type Account = NonNullable<ReportTypeQuery['account']>;

/** Data about the time before the period, for comparisons. */
export interface Past {
  /** The start of the account's reports, if it makes all groups new; undefined otherwise. */
  allNewSince: string | undefined;
  /** Returns the names of a table's new groups; undefined if none are marked. */
  findNew(table: Table): ReadonlySet<string> | undefined;
  /** Returns a table's groups in the previous period, if the visitor compares with it. */
  before(table: Table): GroupCountsFragment | undefined;
}

export const isCompared = ({ params }: Address) => params.get('compare') === 'before';

/** Returns the tables of a view at an address. */
export function listTables({ groupings }: ReportTypeView, { params }: Address): ViewGrouping[] {
  return groupings.map(one => (one.within && params.has(one.within.filter) ? one.within.grouping : one));
}

type Groupings = Record<Table, GroupBy[]> & Record<`has${Capitalize<Table>}`, boolean>;

/** Returns the dimensions of a view's tables as query variables. */
export function listGroupings(view: ReportTypeView, address: Address): Groupings {
  const tables = listTables(view, address);
  const variables = TABLES.flatMap((table, at) => [
    [table, tables[at]?.by ?? []],
    [`hasTable${at}`, at < tables.length],
  ]);
  return Object.fromEntries(variables);
}

interface ShownData {
  account: Account;
  accountId: string;
  view: ReportTypeView;
  /** The address for which the account's data was loaded. */
  address: Address;
}

/** A hook that loads the data before the period, unless the period includes it. */
export function usePast({ account, accountId, view, address }: ShownData): Past {
  const period = periodIn(address);
  const { since, past } = newIn(period);
  const { from, to } = toSpan(period);
  const begin = iso(from);
  const { where, not } = toQuestion(address, view);
  const isNewAsked = past < from;
  const query = {
    account: accountId,
    type: view.type,
    where,
    not,
    ...listGroupings(view, address),
    // New groups had no reports before, so their rise is their count.
    orderBy: orderIn(address)[0] === 'RISE' ? ('COUNT' as const) : orderIn(address)[0],
    past: iso(past),
    since: iso(since),
    end: to === undefined ? null : iso(to),
    before: iso(toSpan(neighbour(period, -1)!).from),
    begin,
    isNewAsked,
    isCompared: isCompared(address),
  };
  const { answer, isCurrent } = useAnswer(
    PastDocument,
    isNewAsked || query.isCompared ? query : undefined,
    address,
  );
  const found = isCurrent ? answer?.data : undefined;
  const firstDay = account.time?.groups[0]?.keys[0]?.value ?? '';
  const hasPast = isNewAsked
    ? (found?.fresh?.past?.totalReports ?? 0) > 0
    : firstDay < iso(since).slice(0, 10);
  const isKnown = isNewAsked ? found?.fresh?.past != null : true;
  const own = (table: Table) => account[table]?.groups.filter(group => Date.parse(group.firstSeen) >= since);
  const fresh = (table: Table) => (isNewAsked ? found?.fresh?.[table]?.groups : own(table));
  return {
    allNewSince: isKnown && !hasPast ? (isNewAsked ? begin : firstDay) : undefined,
    findNew: table => (isKnown && hasPast ? new Set((fresh(table) ?? []).map(nameOfGroup)) : undefined),
    before: table => found?.before?.[table] ?? undefined,
  };
}

const iso = (at: number) => new Date(at).toISOString();
