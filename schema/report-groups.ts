import { beginTurn, eachInTurns, isTurnOver, nextTurn } from '@sightline/csp';
import { MS_PER_DAY, type ReportType } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { DIMENSIONS, type Dimension, dimension, listDimensions } from '../sql/report/dimensions.ts';
import type { FilterValues } from '../sql/report/filter.ts';
import {
  type GroupedReports,
  type Grouping,
  type GroupOrder,
  hasRollups,
  type ReportGroup,
  type ReportGroups,
} from '../sql/report-groups.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { createDailyCounts, type DailyCounts, MOST_COUNTED } from './daily-counts.ts';
import { invalid, PublicError } from './errors.ts';
import { LARGEST_FIRST, requireFirst, USUAL_FIRST } from './first-argument.ts';
import { getRegistrableDomain } from './insights/look-alike.ts';
import {
  type AnyReportArguments,
  anyReportArguments,
  checkAnyFilters,
  clampToRetention,
  periodOfArguments,
} from './report-query.ts';

const GroupBy = builder.enumType('GroupBy', {
  description: 'A dimension by which reports of some types can be grouped.',
  subGraphs: ['graph'],
  values: Object.fromEntries(
    DIMENSIONS.map(({ name, description }) => [name, { value: name, description }]).reverse(),
  ) as Record<string, { value: string; description: string }>,
});

/** The orders of the database, and one that compares two periods. */
type RequestedOrder = GroupOrder | 'RISE';

const GroupOrderName = builder.enumType('GroupOrder', {
  description: 'The order of groups. Equal groups are ordered by their keys.',
  subGraphs: ['graph'],
  values: {
    COUNT: { value: 'COUNT', description: 'The largest sum of counts.' },
    REPORTS: { value: 'REPORTS', description: 'The most reports.' },
    LAST_SEEN: { value: 'LAST_SEEN', description: 'The most recently seen groups first.' },
    FIRST_SEEN: { value: 'FIRST_SEEN', description: 'The newest groups first, by their first report.' },
    KEY: { value: 'KEY', description: 'By key, ascending.' },
    RISE: {
      value: 'RISE',
      description:
        'The greatest rise of the count over the previous period of the same length first, among the ' +
        '1,000 largest groups.',
    },
  } satisfies Record<RequestedOrder, { value: RequestedOrder; description: string }>,
});

interface GroupKey {
  by: string;
  value: string;
}

const Key = builder.objectRef<GroupKey>('GroupKey').implement({
  description: 'A common value of the reports in a group.',
  subGraphs: ['graph'],
  fields: t => ({
    by: t.expose('by', { type: GroupBy, description: 'The dimension.' }),
    value: t.exposeString('value', { description: 'The value; empty if the reports do not contain it.' }),
    domain: t.string({
      nullable: true,
      description:
        'The registrable domain of a host, by the Public Suffix List; null for addresses and other values.',
      resolve: ({ by, value }) => (isHost(by) ? (getRegistrableDomain(value) ?? null) : null),
    }),
  }),
});

const isHost = (by: string) => by.endsWith('_HOST');

interface ReportGroupRow extends Omit<ReportGroup, 'values'> {
  keys: GroupKey[];
  countBefore?: number;
  dailyCounts: () => ReturnType<DailyCounts>;
}

const GroupType = builder.objectRef<ReportGroupRow>('ReportGroup').implement({
  description: 'Reports with the same values.',
  subGraphs: ['graph'],
  fields: t => ({
    keys: t.expose('keys', {
      type: [Key],
      complexity: { field: 1, multiplier: 1 },
      description: 'The common values, in the order of `by`.',
    }),
    count: t.expose('count', { type: 'Counter', description: "The sum of the reports' counts." }),
    reports: t.expose('reports', { type: 'Counter', description: 'The number of reports.' }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'The date of the first report.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'The date of the last report.' }),
    days: t.expose('days', { type: 'Counter', description: 'The number of UTC days with reports.' }),
    countBefore: t.field({
      type: 'Counter',
      nullable: true,
      description:
        "The sum of the reports' counts in the previous period of the same length, for the order RISE; " +
        'otherwise null.',
      resolve: ({ countBefore }) => countBefore ?? null,
    }),
    dailyCounts: t.field({
      type: ['Counter'],
      nullable: true,
      complexity: { field: 1, multiplier: 1 },
      description:
        "The sum of the reports' counts on each UTC day of the period; the last one is its last day, or today. Null " +
        `beyond the first ${MOST_COUNTED.groups} groups, in periods of more than ${MOST_COUNTED.days} days, for ` +
        'groups by time or by three dimensions, and if rollups by day cannot answer.',
      resolve: ({ dailyCounts }) => dailyCounts(),
    }),
  }),
});

interface Result {
  groups: ReportGroupRow[];
  otherGroups: number;
  otherCount: number | null;
  totalCount: number;
  totalReports: number;
  truncated: boolean;
}

const ResultType = builder.objectRef<Result>('ReportGroups').implement({
  description: 'The reports of a period, grouped.',
  subGraphs: ['graph'],
  fields: t => ({
    groups: t.expose('groups', {
      type: [GroupType],
      complexity: { field: 0, multiplier: LARGEST_FIRST },
      description: 'The first groups, in the requested order.',
    }),
    otherGroups: t.expose('otherGroups', { type: 'Counter', description: 'The number of omitted groups.' }),
    otherCount: t.expose('otherCount', {
      type: 'Counter',
      nullable: true,
      description:
        'The sum of the counts in the omitted groups. Together with those of `groups` it equals ' +
        '`totalCount`. Null if a report can be in several groups, such as a certificate with many hosts.',
    }),
    totalCount: t.expose('totalCount', {
      type: 'Counter',
      description: "The sum of the reports' counts in all groups.",
    }),
    totalReports: t.expose('totalReports', {
      type: 'Counter',
      description: 'The number of reports in all groups.',
    }),
    truncated: t.exposeBoolean('truncated', { description: 'Whether groups are omitted.' }),
  }),
});

interface GroupArguments extends AnyReportArguments {
  by: string[];
  orderBy?: RequestedOrder | null;
  firstSeenSince?: string | null;
  first?: number | null;
}

const NOTHING: Result = {
  groups: [],
  otherGroups: 0,
  otherCount: 0,
  totalCount: 0,
  totalReports: 0,
  truncated: false,
};

/** Checks in the documented order: parameters first, then the plan. */
async function toGroups(account: Account, args: GroupArguments, context: Context): Promise<Result> {
  if (isTurnOver()) await beginTurn();
  const { type } = args;
  const grouping = toGrouping(args);
  const period = periodOfArguments(args, context.now);
  const [filters, not] = [present(args.where), present(args.not)];
  checkAnyFilters(account, type, filters, not);
  const visible = clampToRetention(period, account, context.now);
  if (!visible) return NOTHING;
  const query = { account: account.id, type, filters, not, ...visible };
  checkLength(query, grouping, context.now);
  const find = args.orderBy === 'RISE' ? loadRising : load;
  const found = await find(account, query, grouping, context);
  // The groups of all aliases arrive together.
  if (isTurnOver()) await beginTurn();
  const count = createDailyCounts(query, grouping, found.groups, context.now, byDay =>
    load(account, query, byDay, context),
  );
  return toResult(grouping, found, count);
}

/** The number of groups of the previous period that are compared. Smaller ones count as absent. */
const MOST_BEFORE = 5000;

interface RisingGroup extends ReportGroup {
  countBefore: number;
}

/** Returns the groups with the greatest rise over the previous period, which ends where this one begins. */
async function loadRising(
  account: Account,
  query: GroupedReports,
  grouping: Grouping,
  context: Context,
): Promise<ReportGroups & { groups: RisingGroup[] }> {
  const { since: _, ...anyAge } = grouping;
  const [found, previous] = await Promise.all([
    load(account, query, { ...grouping, first: LARGEST_FIRST }, context),
    loadPrevious(account, query, { ...anyAge, first: MOST_BEFORE }, context),
  ]);
  const before = new Map<string, number>();
  await eachInTurns(previous, ({ values, count }) => void before.set(values.join('\0'), count));
  const rising: RisingGroup[] = [];
  await eachInTurns(found.groups, group => {
    rising.push({ ...group, countBefore: before.get(group.values.join('\0')) ?? 0 });
  });
  // Aliases sort one after another.
  if (isTurnOver()) await nextTurn();
  rising.sort((one, other) => measureRise(other) - measureRise(one) || compareKeys(one, other));
  return { ...found, groups: rising.slice(0, grouping.first) };
}

const measureRise = ({ count, countBefore }: RisingGroup) => count - countBefore;

function compareKeys(one: ReportGroup, other: ReportGroup): number {
  const at = one.values.findIndex((value, index) => value !== other.values[index]);
  return at === -1 ? 0 : one.values[at]! < other.values[at]! ? -1 : 1;
}

async function loadPrevious(
  account: Account,
  query: GroupedReports,
  grouping: Grouping,
  context: Context,
): Promise<readonly ReportGroup[]> {
  const from = new Date(query.from);
  // A period that has not ended is compared with the same part of the previous one.
  const end = Math.min(Date.parse(query.until), context.now.getTime());
  const start = new Date(2 * from.getTime() - end);
  const visible = clampToRetention({ from: start, until: from }, account, context.now);
  return visible ? (await load(account, { ...query, ...visible }, grouping, context)).groups : [];
}

/** Groupings by a time within a day, for which there are mostly no rollups. */
const SHORT_TIMES: Readonly<Record<string, string>> = { MINUTE: 'minute', HOUR: 'hour' };

/** The maximum number of days for such groupings, which read every report. */
const MOST_DAYS = 31;

/** @throws {PublicError} LIMIT_EXCEEDED if the grouping would read every report of a long period */
function checkLength(query: GroupedReports, grouping: Grouping, now: Date): void {
  const short = grouping.by.map(({ name }) => SHORT_TIMES[name]).find(time => time !== undefined);
  // A period without an end extends into the future, since clocks can be ahead.
  const end = Math.min(Date.parse(query.until), now.getTime());
  const days = (end - Date.parse(query.from)) / MS_PER_DAY;
  if (short === undefined || days <= MOST_DAYS || hasRollups(query, grouping)) return;
  throw new PublicError(
    'LIMIT_EXCEEDED',
    `Groups by ${short} read each report: choose a period of at most ${MOST_DAYS} days, or group by DAY.`,
    { limit: 'days', max: MOST_DAYS },
  );
}

/** Cached by query and account version. */
async function load(
  account: Account,
  query: GroupedReports,
  grouping: Grouping,
  { load, groupCache }: Context,
): Promise<ReportGroups> {
  const { by, ...rest } = grouping;
  const name = JSON.stringify([query, by.map(({ name }) => name), rest]);
  const cached = groupCache?.get(`${account.version} ${name}`);
  if (cached) return cached;
  const found = await load.reportGroups(query)(grouping);
  if (found.version !== undefined) groupCache?.keep(`${found.version} ${name}`, found);
  return found;
}

function toResult(
  { by }: Grouping,
  { groups, groupCount, totalCount, totalReports }: ReportGroups & { groups: (ReportGroup | RisingGroup)[] },
  countDays: DailyCounts,
): Result {
  const isMany = by.some(dimension => dimension.isMany);
  const inGroups = groups.reduce((sum, { count }) => sum + count, 0);
  return {
    groups: groups.map(({ values, ...group }, position) => ({
      ...group,
      dailyCounts: () => countDays(position),
      keys: by.map(({ name }, place) => ({ by: name, value: values[place]! })),
    })),
    otherGroups: groupCount - groups.length,
    otherCount: isMany ? null : totalCount - inGroups,
    totalCount,
    totalReports,
    truncated: groupCount > groups.length,
  };
}

/** Returns the given filters in a canonical order, so that equal filters have equal texts. */
function present(filters: FilterValues | null | undefined): FilterValues {
  const given = Object.entries(filters ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const MOST_DIMENSIONS = 3;

function toGrouping({ type, by, orderBy, first, firstSeenSince }: GroupArguments): Grouping {
  const isSet = new Set(by).size === by.length;
  if (by.length < 1 || by.length > MOST_DIMENSIONS || !isSet)
    throw invalid('Invalid value for parameter: by. It takes one to three different dimensions.');
  return {
    by: by.map(name => requireDimension(type, name)),
    orderBy: !orderBy || orderBy === 'RISE' ? 'COUNT' : orderBy,
    first: requireFirst(first ?? USUAL_FIRST),
    ...(firstSeenSince && { since: new Date(firstSeenSince).toISOString() }),
  };
}

function requireDimension(type: ReportType, name: string): Dimension {
  const existing = dimension(type, name);
  if (existing) return existing;
  const names = listDimensions(type).map(({ name }) => name);
  throw invalid(`Reports of type ${type} cannot be grouped by ${name}, only by ${names.join(', ')}`);
}

builder.objectField('Account', 'reportGroups', t =>
  t.field({
    type: ResultType,
    // Nullable, so that a refusal by the plan does not discard the rest of the response.
    nullable: true,
    description:
      'Reports in groups, with how many there are, since when and on how many days. ' +
      'The period is `unit` and `date`, or begins with `from` and ends before `to`, which is now by default.',
    complexity: ({ orderBy }) => (orderBy === 'RISE' ? 2 * OWN_STATEMENT : OWN_STATEMENT),
    args: {
      ...anyReportArguments(t.arg),
      by: t.arg({ type: [GroupBy], required: true, description: 'One to three dimensions.' }),
      orderBy: t.arg({
        type: GroupOrderName,
        defaultValue: 'COUNT',
        description: 'The order of the groups.',
      }),
      firstSeenSince: t.arg({
        type: 'Instant',
        description:
          'Only groups whose first report in the period is not before this time. The totals cover only ' +
          'these groups.',
      }),
      first: t.arg.int({
        defaultValue: USUAL_FIRST,
        description: `The number of groups, 1 to ${LARGEST_FIRST}.`,
      }),
    },
    resolve: (account, args, context) => toGroups(account, args as GroupArguments, context),
  }),
);
