import { plainPaths } from '@sightline/openapi/description';
import { REPORT_TYPES, REST_REPORT_TYPES } from '@sightline/reports';
import { collectOperations } from '../../src/rest/operations.ts';
import { contract } from './contract.ts';
import {
  auditEvent,
  CERTIFICATE,
  certificate,
  finding,
  observation,
  plan,
  policyFinding,
  report,
  savedPolicy,
  scriptVerdict,
  setup,
  THREAT_INTELLIGENCE,
  watch,
} from './fixtures.ts';
import type { Line } from './service.ts';

/** The parameters that a route is tried with. */
export interface RouteCase {
  /** Everything needed for a 200 response to an account with `belongings`. */
  target: string;
  /** For a resource that belongs to an account: the same request for a nonexistent resource, and its error. */
  unknown?: { target: string; error: string };
  /** Requires a team's key. */
  teamOnly?: boolean;
}

const UNKNOWN_SHA256 = '0'.repeat(64);

/** Routes under `/v1` that need more than their path. The tests fail if a path with a parameter is missing here. */
const OF_V1: Record<string, RouteCase> = {
  '/team': { target: '/team', teamOnly: true },
  '/certificate-transparency/cert/:sha256': {
    target: `/certificate-transparency/cert/${CERTIFICATE.sha256}`,
    unknown: {
      target: `/certificate-transparency/cert/${UNKNOWN_SHA256}`,
      error: 'Certificate not found',
    },
  },
  ...Object.fromEntries(
    REST_REPORT_TYPES.map(type => [
      `/reports/${type}`,
      { target: `/reports/${type}?unit=days&date=2026-05-20` } satisfies RouteCase,
    ]),
  ),
  '/graphs/:type/:unit/:amount': { target: '/graphs/csp/months/3' },
  '/policies/csp/:id': {
    target: '/policies/csp/pol_own',
    unknown: { target: '/policies/csp/pol_of_nobody', error: 'Policy not found' },
  },
  ...Object.fromEntries(
    ['script', 'data', 'frame', 'policy'].flatMap((product): [string, RouteCase][] => [
      [
        `/watches/${product}/:domain`,
        {
          target: `/watches/${product}/own.example.com`,
          unknown: { target: `/watches/${product}/nobody.example.com`, error: 'Domain is not enrolled' },
        },
      ],
    ]),
  ),
};

/** Data with which every route of an account has content to return. */
export function belongings(accountId: string): Line[] {
  return [
    plan(accountId, {}, THREAT_INTELLIGENCE),
    setup(accountId),
    savedPolicy(accountId, 'pol_own', 'Main'),
    certificate(),
    observation(accountId),
    ...REPORT_TYPES.map(type => report(accountId, type, `${type}-1`)),
    ...['script', 'data', 'frame'].flatMap(product => [
      watch(accountId, product, 'own.example.com'),
      finding(accountId, product, 'own.example.com', 'https://cdn.example.net/a.js'),
    ]),
    watch(accountId, 'policy', 'own.example.com'),
    policyFinding(accountId, 'own.example.com', "default-src 'self'"),
    scriptVerdict(accountId, 'own.example.com', 'https://cdn.example.net/*'),
    auditEvent(accountId, 'event-1'),
  ];
}

/** The service's routes. Alternatives in a path are separate routes. */
async function declaredRoutes(): Promise<string[]> {
  const operations = await collectOperations();
  return operations.flatMap(({ route }) => plainPaths(route.path).map(({ path }) => path));
}

export type Route = RouteCase & { path: string; isExport: boolean };

function routesBelow(base: string, cases: Record<string, RouteCase>, declared: readonly string[]): Route[] {
  const missing = declared.filter(path => path.includes(':') && !(path in cases));
  const extra = Object.keys(cases).filter(path => !declared.includes(path));
  if (missing.length > 0) throw new Error(`test/support/routes.ts has no case for ${missing.join(', ')}`);
  if (extra.length > 0) throw new Error(`the service has no route ${extra.join(', ')}`);
  return declared.map(path => {
    const { target = path, unknown, ...rest }: Partial<RouteCase> = cases[path] ?? {};
    return {
      ...rest,
      path: base + path,
      target: base + target,
      ...(unknown && { unknown: { ...unknown, target: base + unknown.target } }),
      isExport: base === '/export',
    };
  });
}

/**
 * Returns every route under `/v1` with its case.
 * @throws {Error} for a route without a case, or a case without a route
 */
export async function routesOfV1(): Promise<Route[]> {
  return routesBelow('/v1', OF_V1, await declaredRoutes());
}

/**
 * The same for `/export`, whose responses are streams: the routes in `openapi.yaml`, with the report type filled in.
 */
function routesOfExport(): Route[] {
  const paths = Object.keys(contract.paths).filter(path => path.startsWith('/export/'));
  const declared = paths.flatMap(path =>
    path.includes('{type}') ? REPORT_TYPES.map(type => path.replace('{type}', type)) : [path],
  );
  const below = declared.map(path => path.slice('/export'.length));
  return routesBelow('/export', {}, below);
}

/** Every route that a key can request, with its case. */
export async function everyRoute(): Promise<Route[]> {
  return [...(await routesOfV1()), ...routesOfExport()];
}
