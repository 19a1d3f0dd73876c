import type { Config } from '../config.ts';
import { type Finding, good, warning } from './finding.ts';

/** Settings that are allowed, and that a service for others should not have. */
export function checkSettings({ isProduction, graphiql, adminPort, port }: Config): Finding[] {
  const found: Finding[] = [];
  if (!isProduction) {
    found.push(
      warning('settings', 'NODE_ENV is not production', 'set NODE_ENV=production where others are served'),
    );
  } else if (graphiql) {
    found.push(
      warning('settings', 'GraphiQL is open in production', 'leave GRAPHIQL empty, or set it to false'),
    );
  }
  if (adminPort === undefined) {
    found.push(
      warning('settings', 'there are no metrics', 'set ADMIN_PORT, and let only the scraper reach it'),
    );
  } else if (adminPort === port) {
    found.push(
      warning('settings', 'ADMIN_PORT and PORT are the same', 'give the metrics a port of their own'),
    );
  }
  return found.length > 0 ? found : [good('settings', 'every setting can be used')];
}
