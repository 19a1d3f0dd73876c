import { REPORT_TYPES } from '@sightline/reports';
import {
  boolean,
  type FieldChecks,
  identifier,
  integer,
  list,
  object,
  optional,
  partial,
  shortText,
  text,
} from './checks.ts';
import { define } from './record-definition.ts';
import { byId, ofAccount, oneAnAccount } from './record-keys.ts';

export const setup = define({
  kind: 'setup',
  table: 'setup',
  ...oneAnAccount,
  fields: {
    ...ofAccount,
    reportUri: object({ enforce: text, reportOnly: text, wizard: text }),
    reportingApi: object({
      group: text,
      max_age: integer(),
      endpoints: list(object({ url: text })),
      include_subdomains: boolean,
    }),
    nel: object({ report_to: text, max_age: integer(), include_subdomains: boolean }),
    dmarc: text,
    tlsRpt: text,
  },
  columns: {
    account_id: 'accountId',
    report_uri: 'reportUri',
    reporting_api: 'reportingApi',
    nel: 'nel',
    dmarc: 'dmarc',
    tls_rpt: 'tlsRpt',
  },
});

const samplingRates: FieldChecks = Object.fromEntries(
  [...REPORT_TYPES, 'wizard'].map(name => [name, integer(1, 100)]),
);

export const filters = define({
  kind: 'filters',
  table: 'filter_configuration',
  ...oneAnAccount,
  fields: {
    ...ofAccount,
    global: optional(
      partial({
        sites: list(shortText),
        removeReferrer: boolean,
        removeQueryString: boolean,
        minimumClientReputation: integer(),
      }),
      {},
    ),
    advanced: optional(
      partial({
        browserExtensions: boolean,
        unactionableReports: boolean,
        inlineEval: boolean,
        blockedHosts: list(shortText),
        blockedSchemes: list(text),
        pagePaths: list(text),
      }),
      {},
    ),
    certificateTransparency: optional(
      partial({
        ignoredHostnames: list(shortText),
        ignoredIssuers: list(text),
        ignorePrecertificates: boolean,
      }),
      {},
    ),
    samplingRates: optional(partial(samplingRates), {}),
  },
  columns: {
    account_id: 'accountId',
    global: 'global',
    advanced: 'advanced',
    certificate_transparency: 'certificateTransparency',
    sampling_rates: 'samplingRates',
  },
});

export const policy = define({
  kind: 'policy',
  table: 'csp_policy',
  ...byId,
  fields: { ...ofAccount, id: identifier, name: text, policy: text },
  columns: { account_id: 'accountId', id: 'id', name: 'name', policy: 'policy' },
});

export const wizard = define({
  kind: 'wizard',
  table: 'csp_wizard',
  ...oneAnAccount,
  fields: { ...ofAccount, active: boolean, policy: text },
  columns: { account_id: 'accountId', active: 'active', policy: 'policy' },
});
