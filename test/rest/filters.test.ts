import { REST_REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

/** The defaults, in the documented order. */
const DEFAULTS = {
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
    ...Object.fromEntries(REST_REPORT_TYPES.map(type => [type, 100])),
    csp_integrity: 10,
    wizard: 1,
  },
};

it('GET /v1/filters returns the defaults when no filters are stored', async () => {
  const key = await open(service, personal('none'), plan('none'));
  expect((await service.get('/v1/filters', key)).text).toBe(JSON.stringify(DEFAULTS));
});

it('GET /v1/filters returns the stored filters in the documented order', async () => {
  const set = {
    global: {
      sites: ['example.com', '*.example.com'],
      removeReferrer: false,
      removeQueryString: false,
      minimumClientReputation: 40,
    },
    advanced: {
      browserExtensions: false,
      unactionableReports: false,
      inlineEval: true,
      blockedHosts: ['ads.example'],
      blockedSchemes: ['chrome-extension'],
      pagePaths: ['/private/*'],
    },
    certificateTransparency: {
      ignoredHostnames: ['old.example.com'],
      ignoredIssuers: ['C=US, O=Example Trust'],
      ignorePrecertificates: true,
    },
    samplingRates: Object.fromEntries(
      Object.keys(DEFAULTS.samplingRates).map((type, index) => [type, index + 1]),
    ),
  };
  const key = await open(service, personal('all'), plan('all'));
  await service.load({ kind: 'filters', accountId: 'all', ...set });
  expect((await service.get('/v1/filters', key)).text).toBe(JSON.stringify(set));
});

it('GET /v1/filters returns the defaults for unset parts', async () => {
  const key = await open(service, personal('some'), plan('some'));
  await service.load({ kind: 'filters', accountId: 'some', samplingRates: { nel: 5 } });
  const body = { ...DEFAULTS, samplingRates: { ...DEFAULTS.samplingRates, nel: 5 } };
  expect((await service.get('/v1/filters', key)).text).toBe(JSON.stringify(body));
});
