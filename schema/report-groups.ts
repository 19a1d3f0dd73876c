import type { ReportType } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { DIMENSIONS, type Dimension, dimension, dimensionsOf } from '../sql/report/dimensions.ts';
import type { FilterValues } from '../sql/report/filter.ts';
import type {
  GroupedReports,
  Grouping,
  GroupOrder,
  ReportGroup,
  ReportGroups,
} from '../sql/report-groups.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';
import {
  type AnyReportArguments,
  anyReportArguments,
  checkAnyFilters,
  periodOfArguments,
  withinRetention,
} from './report-query.ts';

const GroupBy = builder.enumType('GroupBy', {
  description: 'What reports are grouped by, as far as their type has it.',
  subGraphs: ['graph'],
  values: Object.fromEntries(
    DIMENSIONS.map(({ name, description }) => [name, { value: name, description }]).reverse(),
  ) as Record<string, { value: string; description: string }>,
});

const GroupOrderName = builder.enumType('GroupOrder', {
  description: 'Which groups come first; those that are equal come by their keys.',
  subGraphs: ['graph'],
  values: {
    COUNT: { value: 'COUNT', description: 'The largest sum of counts.' },
    REPORTS: { value: 'REPORTS', description: 'The most reports.' },
    LAST_SEEN: { value: 'LAST_SEEN', description: 'Those seen last.' },
    FIRST_SEEN: { value: 'FIRST_SEEN', description: 'Those that are new: whose first report is the latest.' },
    KEY: { value: 'KEY', description: 'By key, ascending.' },
  } satisfies Record<GroupOrder, { value: GroupOrder; description: string }>,
});

interface GroupKey {
  by: string;
  value: string;
}

const Key = builder.objectRef<GroupKey>('GroupKey').implement({
  description: 'What the reports of a group have in common.',
  subGraphs: ['graph'],
  fields: t => ({
    by: t.expose('by', { type: GroupBy, description: 'What they are grouped by.' }),
    value: t.exposeString('value', { description: 'The value; empty where the reports do not say.' }),
  }),
});

interface Group extends Omit<ReportGroup, 'values'> {
  keys: GroupKey[];
}

const GroupType = builder.objectRef<Group>('ReportGroup').implement({
  description: 'Reports that have something in common.',
  subGraphs: ['graph'],
  fields: t => ({
    keys: t.expose('keys', {
      type: [Key],
      complexity: { field: 1, multiplier: 1 },
      description: 'In the order of `by`.',
    }),
    count: t.expose('count', { type: 'Counter', description: "The sum of the reports' counts." }),
    reports: t.expose('reports', { type: 'Counter', description: 'How many reports there are.' }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'The date of the first report.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'The date of the last report.' }),
    days: t.expose('days', { type: 'Counter', description: 'On how many days, in UTC, there are any.' }),
  }),
});

interface Result {
  groups: Group[];
  otherGroups: number;
  otherCount: number | null;
  totalCount: number;
  totalReports: number;
  truncated: boolean;
}

const LARGEST_FIRST = 1000;
const USUAL_FIRST = 100;

const ResultType = builder.objectRef<Result>('ReportGroups').implement({
  description: 'The reports of a period in groups.',
  subGraphs: ['graph'],
  fields: t => ({
    groups: t.expose('groups', {
      type: [GroupType],
      complexity: { field: 0, multiplier: LARGEST_FIRST },
      description: 'The first groups, in the order that was asked for.',
    }),
    otherGroups: t.expose('otherGroups', { type: 'Counter', description: 'How many groups are left out.' }),
    otherCount: t.expose('otherCount', {
      type: 'Counter',
      nullable: true,
      description:
        'The sum of the counts in the groups that are left out; with those of `groups` it makes `totalCount`. ' +
        'Null where a report can be in several groups, as a certificate with many hosts is.',
    }),
    totalCount: t.expose('totalCount', {
      type: 'Counter',
      description: 'The sum of the counts of all reports, in whichever group.',
    }),
    totalReports: t.expose('totalReports', {
      type: 'Counter',
      description: 'How many reports there are, in whichever group.',
    }),
    truncated: t.exposeBoolean('truncated', { description: 'Whether groups are left out.' }),
  }),
});

interface GroupArguments extends AnyReportArguments {
  by: string[];
  orderBy?: GroupOrder | null;
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

/** Checks in the documented order: parameters, then the plan. */
async function groupsOf(account: Account, args: GroupArguments, context: Context): Promise<Result> {
  const { type } = args;
  const grouping = groupingOf(args);
  const period = periodOfArguments(args, context.now);
  const [filters, not] = [present(args.where), present(args.not)];
  checkAnyFilters(account, type, filters, not);
  const visible = withinRetention(period, account, context.now);
  if (!visible) return NOTHING;
  const query = { account: account.id, type, filters, not, ...visible };
  return shown(grouping, await load(account, query, grouping, context));
}

/** From memory where the same was asked of the same version of the account. */
async function load(
  account: Account,
  query: GroupedReports,
  grouping: Grouping,
  { load, keptGroups }: Context,
): Promise<ReportGroups> {
  const { by, ...rest } = grouping;
  const name = JSON.stringify([query, by.map(({ name }) => name), rest]);
  const kept = keptGroups?.get(`${account.version} ${name}`);
  if (kept) return kept;
  const found = await load.reportGroups(query)(grouping);
  if (found.version !== undefined) keptGroups?.keep(`${found.version} ${name}`, found);
  return found;
}

function shown({ by }: Grouping, { groups, groupCount, totalCount, totalReports }: ReportGroups): Result {
  const isMany = by.some(dimension => dimension.isMany);
  const inGroups = groups.reduce((sum, { count }) => sum + count, 0);
  return {
    groups: groups.map(({ values, ...group }) => ({
      ...group,
      keys: by.map(({ name }, place) => ({ by: name, value: values[place]! })),
    })),
    otherGroups: groupCount - groups.length,
    otherCount: isMany ? null : totalCount - inGroups,
    totalCount,
    totalReports,
    truncated: groupCount > groups.length,
  };
}

/** The filters that are given, in one order, so that equal ones are equal texts. */
function present(filters: FilterValues | null | undefined): FilterValues {
  const given = Object.entries(filters ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const MOST_DIMENSIONS = 3;

function groupingOf({ type, by, orderBy, first, firstSeenSince }: GroupArguments): Grouping {
  const isSet = new Set(by).size === by.length;
  if (by.length < 1 || by.length > MOST_DIMENSIONS || !isSet)
    throw invalid('Invalid value for parameter: by. It takes one to three different dimensions.');
  const size = first ?? USUAL_FIRST;
  if (size < 1 || size > LARGEST_FIRST)
    throw invalid(`Invalid value for parameter: first. It takes 1 to ${LARGEST_FIRST}.`);
  return {
    by: by.map(name => requireDimension(type, name)),
    orderBy: orderBy ?? 'COUNT',
    first: size,
    ...(firstSeenSince && { since: new Date(firstSeenSince).toISOString() }),
  };
}

function requireDimension(type: ReportType, name: string): Dimension {
  const known = dimension(type, name);
  if (known) return known;
  const names = dimensionsOf(type).map(({ name }) => name);
  throw invalid(`Reports of type ${type} cannot be grouped by ${name}, only by ${names.join(', ')}`);
}

builder.objectField('Account', 'reportGroups', t =>
  t.field({
    type: ResultType,
    // The plan may refuse a filter, which is no reason to lose the rest of an answer.
    nullable: true,
    description:
      'Reports in groups, with how many there are, since when and on how many days. ' +
      'The period is `unit` and `date`, or begins with `from` and ends before `to` (now, where it is left out).',
    complexity: OWN_STATEMENT,
    args: {
      ...anyReportArguments(t.arg),
      by: t.arg({ type: [GroupBy], required: true, description: 'One to three dimensions.' }),
      orderBy: t.arg({
        type: GroupOrderName,
        defaultValue: 'COUNT',
        description: 'Which groups come first.',
      }),
      firstSeenSince: t.arg({
        type: 'Instant',
        description:
          'Only groups whose first report of the period came then, or later: what is new. Totals are of these groups.',
      }),
      first: t.arg.int({ defaultValue: USUAL_FIRST, description: 'How many groups, 1 to 1000.' }),
    },
    resolve: (account, args, context) => groupsOf(account, args as GroupArguments, context),
  }),
);
