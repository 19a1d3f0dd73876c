import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { builder } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { getSubGraphs } from './report-type-name.ts';
import { restRoute } from './rest-route.ts';

interface GlobalFilters {
  sites: string[];
  removeReferrer: boolean;
  removeQueryString: boolean;
  minimumClientReputation: number;
}

interface AdvancedFilters {
  browserExtensions: boolean;
  unactionableReports: boolean;
  inlineEval: boolean;
  blockedHosts: string[];
  blockedSchemes: string[];
  pagePaths: string[];
}

interface CertificateFilters {
  ignoredHostnames: string[];
  ignoredIssuers: string[];
  ignorePrecertificates: boolean;
}

type SamplingRates = Record<ReportType | 'wizard', number>;

interface FilterConfiguration {
  global: GlobalFilters;
  advanced: AdvancedFilters;
  certificateTransparency: CertificateFilters;
  samplingRates: SamplingRates;
}

/** The defaults of settings that the account has not changed. */
const DEFAULTS: FilterConfiguration = {
  global: { sites: [], removeReferrer: true, removeQueryString: true, minimumClientReputation: 0 },
  advanced: {
    browserExtensions: true,
    unactionableReports: true,
    inlineEval: false,
    blockedHosts: [],
    blockedSchemes: [],
    pagePaths: [],
  },
  certificateTransparency: { ignoredHostnames: [], ignoredIssuers: [], ignorePrecertificates: false },
  samplingRates: {
    ...(Object.fromEntries(REPORT_TYPES.map(type => [type, 100])) as Record<ReportType, number>),
    csp_integrity: 10,
    wizard: 1,
  },
};

const Global = builder.objectRef<GlobalFilters>('GlobalFilters').implement({
  description: 'Filters for reports of every type.',
  fields: t => ({
    sites: t.exposeStringList('sites', { description: 'Hosts from which reports are accepted.' }),
    removeReferrer: t.exposeBoolean('removeReferrer', { description: 'Whether referrers are removed.' }),
    removeQueryString: t.exposeBoolean('removeQueryString', {
      description: 'Whether query strings are removed.',
    }),
    minimumClientReputation: t.expose('minimumClientReputation', {
      type: 'Counter',
      description: 'The reputation below which reports of a client are refused.',
    }),
  }),
});

const Advanced = builder.objectRef<AdvancedFilters>('AdvancedFilters').implement({
  description: 'Filters for noise.',
  fields: t => ({
    browserExtensions: t.exposeBoolean('browserExtensions', {
      description: 'Whether reports caused by browser extensions are dropped.',
    }),
    unactionableReports: t.exposeBoolean('unactionableReports', {
      description: 'Whether reports that nobody can act on are dropped.',
    }),
    inlineEval: t.exposeBoolean('inlineEval', {
      description: 'Whether inline and eval reports are dropped.',
    }),
    blockedHosts: t.exposeStringList('blockedHosts', {
      description: 'Blocked hosts whose reports are dropped.',
    }),
    blockedSchemes: t.exposeStringList('blockedSchemes', {
      description: 'Blocked schemes whose reports are dropped.',
    }),
    pagePaths: t.exposeStringList('pagePaths', { description: 'Page paths whose reports are dropped.' }),
  }),
});

const CertificateTransparency = builder
  .objectRef<CertificateFilters>('CertificateTransparencyFilters')
  .implement({
    description: 'Filters for Certificate Transparency reports.',
    fields: t => ({
      ignoredHostnames: t.exposeStringList('ignoredHostnames', {
        description: 'Host names that are ignored.',
      }),
      ignoredIssuers: t.exposeStringList('ignoredIssuers', { description: 'Issuers that are ignored.' }),
      ignorePrecertificates: t.exposeBoolean('ignorePrecertificates', {
        description: 'Whether precertificates are ignored.',
      }),
    }),
  });

const Rates = builder.objectRef<SamplingRates>('SamplingRates').implement({
  description: 'Percentage of reports that are stored, 1 to 100, by report type.',
  fields: t =>
    Object.fromEntries(
      ([...REPORT_TYPES, 'wizard'] as const).map(type => [
        type,
        t.expose(type, {
          type: 'Counter',
          description: `Percentage of ${type} reports that are kept.`,
          ...(type !== 'wizard' && { subGraphs: getSubGraphs(type) }),
          extensions: { openapi: { minimum: 1, maximum: 100 } },
        }),
      ]),
    ),
});

const Configuration = builder.objectRef<FilterConfiguration>('FilterConfiguration').implement({
  description: 'Which reports are filtered out, and how the others are sampled.',
  fields: t => ({
    global: t.expose('global', { type: Global, description: 'Filters for every type.' }),
    advanced: t.expose('advanced', { type: Advanced, description: 'Filters for noise.' }),
    certificateTransparency: t.expose('certificateTransparency', {
      type: CertificateTransparency,
      description: 'Filters for Certificate Transparency reports.',
    }),
    samplingRates: t.expose('samplingRates', {
      type: Rates,
      description: 'Percentage of reports that are stored.',
    }),
  }),
});

async function getConfiguration(account: Account, { load }: Context): Promise<FilterConfiguration> {
  const set = await load.filterConfiguration(account.id);
  if (!set) return DEFAULTS;
  return {
    global: { ...DEFAULTS.global, ...set.global },
    advanced: { ...DEFAULTS.advanced, ...set.advanced },
    certificateTransparency: { ...DEFAULTS.certificateTransparency, ...set.certificateTransparency },
    samplingRates: { ...DEFAULTS.samplingRates, ...set.samplingRates },
  };
}

const description = 'Which reports are filtered out, and how the others are sampled.';

builder.queryField('filters', t =>
  t.field({
    type: Configuration,
    description,
    ...restRoute({ path: '/filters', tag: 'Account', summary: 'Filters and sampling rates' }),
    resolve: (_root, _args, context) => getConfiguration(ownAccount(context), context),
  }),
);

builder.objectField('Account', 'filters', t =>
  t.field({
    type: Configuration,
    description,
    resolve: (account, _args, context) => getConfiguration(account, context),
  }),
);
