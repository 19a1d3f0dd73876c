import { MS_PER_DAY } from '@sightline/reports';
import type { Account } from '../../sql/account.ts';
import type { AccountId } from '../../sql/account-id.ts';
import { builder, OWN_STATEMENT, toEnumValues } from '../builder.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import {
  type CoveredType,
  type FoundInsights,
  type Insight,
  type InsightCoverage,
  KINDS,
  type Severity,
  STATES,
} from '../insight.ts';
import type { ArgumentBuilder } from '../report-query.ts';
import { ReportTypeName } from '../report-type-name.ts';
import { Verdict } from '../team-verdicts.ts';
import { findInsights } from './find.ts';
import { findVerdict } from './verdict.ts';

const InsightKindEnum = builder.enumType('InsightKind', {
  description: 'The kind of an insight. Each kind has its own rule.',
  subGraphs: ['graph'],
  values: toEnumValues(KINDS),
});

const ABOUT: Record<Severity, string> = {
  threat: 'A possible attack.',
  incident: 'Something of yours fails, or somebody misuses your name.',
  change: 'Something has changed.',
  notice: 'For information.',
};

const InsightSeverity = builder.enumType('InsightSeverity', {
  description: 'How urgent an insight is.',
  subGraphs: ['graph'],
  values: toEnumValues(ABOUT),
});

const InsightStateEnum = builder.enumType('InsightState', {
  description: 'Whether an insight is ongoing.',
  subGraphs: ['graph'],
  values: toEnumValues(STATES),
});

/** An insight, with the account whose verdicts apply to it. */
type AccountInsight = Insight & { account: AccountId };

const InsightType = builder.objectRef<AccountInsight>('Insight').implement({
  description: 'A change in the reports that deserves attention.',
  subGraphs: ['graph'],
  fields: t => ({
    id: t.exposeString('id', {
      description: 'An identifier that is stable for the same kind, subject and first day.',
    }),
    kind: t.expose('kind', { type: InsightKindEnum, description: 'The kind.' }),
    severity: t.expose('severity', { type: InsightSeverity, description: 'How urgent the insight is.' }),
    state: t.expose('state', { type: InsightStateEnum, description: 'Whether the insight is ongoing.' }),
    title: t.exposeString('title', {
      description:
        'A sentence that names the subject. It contains values from reports, which anyone can forge.',
    }),
    detail: t.exposeString('detail', { description: 'Numbers, times and the next step.' }),
    subject: t.exposeString('subject', {
      description:
        'The subject, as reports name it: a host, page, directive, type, sender, domain or issuer.',
    }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'When it began.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'When it was last seen.' }),
    count: t.expose('count', {
      type: 'Counter',
      description: 'The number of reports, mails or sessions.',
    }),
    baseline: t.expose('baseline', {
      type: 'Counter',
      description: 'The usual number in the same time: 0 for something new, and the limit for a quota.',
    }),
    verdict: t.field({
      type: Verdict,
      nullable: true,
      description:
        "The team's decision about the insight, or about its sender, host or issuer, while it is in " +
        'force; otherwise null.',
      resolve: async (insight, _args, { load, now }) =>
        findVerdict(insight, await load.verdicts(insight.account), now),
    }),
    link: t.exposeString('link', {
      description: 'The view of the page that shows the insight: a path with a fragment.',
    }),
    query: t.exposeString('query', {
      nullable: true,
      description: 'The request for its reports: a path with parameters, or null.',
    }),
  }),
});

const CoveredTypeType = builder.objectRef<CoveredType>('InsightCoverageType').implement({
  description: 'The reports of a type that were searched for insights.',
  subGraphs: ['graph'],
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'The type.' }),
    reports: t.expose('reports', {
      type: 'Counter',
      description: 'The number of examined reports in the period, without browser noise.',
    }),
    learningUntil: t.expose('learningUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'The end of the learning period, before which nothing of the type counts as new or unusual; null ' +
        'if there is enough earlier data.',
    }),
  }),
});

const CoverageType = builder.objectRef<InsightCoverage>('InsightCoverage').implement({
  description: 'The data that was searched for insights.',
  subGraphs: ['graph'],
  fields: t => ({
    since: t.expose('since', { type: 'DateTime', description: 'The start of the period.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The end of the period.' }),
    types: t.expose('types', {
      type: [CoveredTypeType],
      description: 'The types with reports in the period or in the weeks before it.',
    }),
  }),
});

const USUAL_PERIOD = 7 * MS_PER_DAY;
const LONGEST_PERIOD = 92 * MS_PER_DAY;

interface InsightArguments {
  since?: string | null | undefined;
  until?: string | null | undefined;
}

const periodArguments = (t: { arg: ArgumentBuilder }) => ({
  since: t.arg({
    type: 'Instant',
    description: 'Only insights that began at or after this time; at most 92 days before `until`.',
  }),
  until: t.arg({
    type: 'Instant',
    description: 'Only insights that began before this time; now by default.',
  }),
});

/** The searches of each request by account and period, which its fields share. */
const searches = new WeakMap<Context, Map<string, Promise<FoundInsights>>>();

async function loadInsights(
  account: Account,
  { since, until }: InsightArguments,
  context: Context,
): Promise<FoundInsights> {
  const { now, database, load, insightCache } = context;
  const end = until ? new Date(Math.min(Date.parse(until), now.getTime())) : now;
  const begin = since ? new Date(since) : new Date(end.getTime() - USUAL_PERIOD);
  if (end.getTime() - begin.getTime() > LONGEST_PERIOD)
    throw invalid('Invalid value for parameter: since. Insights cover at most 92 days.');
  const period = [since ? begin.toISOString() : 'week', until ? end.toISOString() : toMinute(now)];
  const name = [account.id, account.version, ...period].join(' ');
  const cached = insightCache?.get(name);
  if (cached) return cached;
  const own = searches.get(context) ?? new Map<string, Promise<FoundInsights>>();
  searches.set(context, own);
  const search = own.get(name) ?? findInsights({ account, database, now, since: begin, until: end }, load);
  own.set(name, search);
  const found = await search;
  insightCache?.keep(name, found);
  return found;
}

/** Without an end, a result can be reused for a minute as long as the version is the same. */
const toMinute = (now: Date) => now.toISOString().slice(0, 16);

builder.objectField('Account', 'insights', t =>
  t.field({
    type: [InsightType],
    // Nullable, since insights read many reports and a timeout must not discard the rest of the response.
    nullable: true,
    description:
      'Changes that began in a period, by default in the last seven days. The most severe come first, and ongoing ' +
      'ones before resolved ones. Threats, incidents and escalating insights are listed while they are ongoing, for up ' +
      'to four weeks; silences and quota insights for as long as they last. At most 20 of each kind are listed, with ' +
      'the number of the others. Null if it takes too long.',
    complexity: { field: 4 * OWN_STATEMENT, multiplier: 100 },
    args: periodArguments(t),
    resolve: async (account, args, context) => {
      const { insights } = await loadInsights(account, args, context);
      return insights.map(insight => ({ ...insight, account: account.id }));
    },
  }),
);

builder.objectField('Account', 'insightCoverage', t =>
  t.field({
    type: CoverageType,
    nullable: true,
    description:
      'The data that was searched for insights, which shows how much the absence of insights means. It ' +
      'adds no cost to `insights` of the same period. Null if it takes too long.',
    complexity: { field: 4 * OWN_STATEMENT, multiplier: 1 },
    args: periodArguments(t),
    resolve: async (account, args, context) => (await loadInsights(account, args, context)).coverage,
  }),
);
