import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';

/** The account whose keys the routes are asked with. */
export type Asker = typeof DEMO_PERSONAL | typeof DEMO_TEAM;

export interface Route {
  name: RouteName;
  path: string;
  asker: Asker;
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

/** The day that the reports are asked for: a busy one, and over. */
export function busyDay(now: Date): string {
  const day = new Date(now.getTime() - 2 * 86_400_000);
  // At weekends there is less than a full page of reports.
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** The month before: reports of it are there as long as of any other. */
function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
}

/** The whole trail has a part of its own. */
export const TRAIL: Pick<Route, 'path' | 'asker'> = { path: '/v1/audit-log', asker: DEMO_TEAM };

export function routesOn(now: Date): Record<RouteName, Route> {
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
  const route = (name: RouteName): Route => ({
    name,
    path: paths[name],
    asker: name === 'audit' ? DEMO_TEAM : DEMO_PERSONAL,
  });
  return Object.fromEntries(ROUTE_NAMES.map(name => [name, route(name)])) as Record<RouteName, Route>;
}
