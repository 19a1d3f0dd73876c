import type { Address } from '../../address.ts';
import {
  type GroupBy,
  type GroupCountsFragment,
  PastDocument,
  type ReportTypeQuery,
} from '../../documents/documents.generated.ts';
import { orderIn, questionOf } from '../../filters.ts';
import { nameOfGroup } from '../../parts/group-table.tsx';
import { neighbour, newIn, periodIn, spanOf } from '../../period.ts';
import type { Grouping, ReportTypeView } from '../../report-types.ts';
import { TABLES, type Table } from '../../tables.generated.ts';
import { useAnswer } from '../../use-answer.ts';

type Account = NonNullable<ReportTypeQuery['account']>;

/** The time before a period, as far as the page tells of it. */
export interface Past {
  /** Since when all of it is new; undefined where it is not. */
  allNewSince: string | undefined;
  /** The new groups of a table, by name; undefined where none is marked. */
  freshOf(table: Table): ReadonlySet<string> | undefined;
  /** The groups of the period before, where the visitor compares. */
  before(table: Table): GroupCountsFragment | undefined;
}

export const isCompared = ({ params }: Address) => params.get('compare') === 'before';

/** A view's tables at an address. */
export function tablesOf({ groupings }: ReportTypeView, { params }: Address): Grouping[] {
  return groupings.map(one => (one.within && params.has(one.within.filter) ? one.within.grouping : one));
}

type Groupings = Record<Table, GroupBy[]> & Record<`has${Capitalize<Table>}`, boolean>;

/** Their dimensions, as the queries take them. */
export function groupingsOf(view: ReportTypeView, address: Address): Groupings {
  const tables = tablesOf(view, address);
  const variables = TABLES.flatMap((table, at) => [
    [table, tables[at]?.by ?? []],
    [`hasTable${at}`, at < tables.length],
  ]);
  return Object.fromEntries(variables);
}

interface Shown {
  account: Account;
  accountId: string;
  view: ReportTypeView;
  /** The address of the account's numbers. */
  address: Address;
}

/** A period that says itself what was there before is not asked about again. */
export function usePast({ account, accountId, view, address }: Shown): Past {
  const period = periodIn(address);
  const { since, past } = newIn(period);
  const { from, to } = spanOf(period);
  const begin = iso(from);
  const { where, not } = questionOf(address, view);
  const isNewAsked = past < from;
  const asked = {
    account: accountId,
    type: view.type,
    where,
    not,
    ...groupingsOf(view, address),
    orderBy: orderIn(address)[0],
    past: iso(past),
    since: iso(since),
    end: to === undefined ? null : iso(to),
    before: iso(spanOf(neighbour(period, -1)!).from),
    begin,
    isNewAsked,
    isCompared: isCompared(address),
  };
  const { answer, isCurrent } = useAnswer(
    PastDocument,
    isNewAsked || asked.isCompared ? asked : undefined,
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
    freshOf: table => (isKnown && hasPast ? new Set((fresh(table) ?? []).map(nameOfGroup)) : undefined),
    before: table => found?.before?.[table] ?? undefined,
  };
}

const iso = (at: number) => new Date(at).toISOString();
