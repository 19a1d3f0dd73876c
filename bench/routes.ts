import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';

/** The account whose keys the requests use. */
export type BenchCaller = typeof DEMO_PERSONAL | typeof DEMO_TEAM;

export interface BenchRoute {
  name: RouteName;
  path: string;
  caller: BenchCaller;
}

export const ROUTE_NAMES = [
  'me',
  'plan',
  'watches',
  'week',
  'graph',
  'reports',
  'filtered',
  'nel',
  'dmarc',
  'findings',
  'audit',
] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** A busy day in the past whose reports are requested. */
export function busyDay(now: Date): string {
  const day = new Date(now.getTime() - 2 * 86_400_000);
  // Weekends have less than a full page of reports.
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** Returns the previous month, whose reports are complete. */
function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
}

/** The whole trail is measured separately. */
export const TRAIL: Pick<BenchRoute, 'path' | 'caller'> = { path: '/v1/audit-log', caller: DEMO_TEAM };

export function routesOn(now: Date): Record<RouteName, BenchRoute> {
  const day = `/v1/reports/csp?unit=days&date=${busyDay(now)}`;
  const paths: Record<RouteName, string> = {
    me: '/v1/me',
    plan: '/v1/plan',
    watches: '/v1/watches/script',
    week: '/v1/last-seven-days',
    graph: '/v1/graphs/csp/months/12',
    reports: day,
    filtered: `${day}&hostnames=shop.example.com&action=enforced&effectiveDirective=img-src`,
    nel: `/v1/reports/nel?unit=months&date=${lastMonth(now)}`,
    dmarc: `/v1/reports/dmarc?unit=months&date=${lastMonth(now)}`,
    findings: '/v1/watches/script/www.example.com',
    audit: '/v1/audit-log?limit=1000',
  };
  const route = (name: RouteName): BenchRoute => ({
    name,
    path: paths[name],
    caller: name === 'audit' ? DEMO_TEAM : DEMO_PERSONAL,
  });
  return Object.fromEntries(ROUTE_NAMES.map(name => [name, route(name)])) as Record<RouteName, BenchRoute>;
}
