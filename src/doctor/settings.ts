import { accessSync, constants } from 'node:fs';
import { type Config, misspeltSettings } from '../config.ts';
import { type Diagnosis, fault, good, warning } from './finding.ts';

/** Finds settings that are valid, but should not be used for a public service. */
export function checkSettings({ isProduction, graphiql, adminPort, port, enrich }: Config): Diagnosis[] {
  const found: Diagnosis[] = misspeltSettings().map(({ name, nearest }) =>
    warning(
      'settings',
      `${name} is not a setting of Sightline and has no effect`,
      `rename it to ${nearest}, or unset it`,
    ),
  );
  found.push(...checkFiles(enrich));
  if (!isProduction) {
    found.push(
      warning('settings', 'NODE_ENV is not production', 'set NODE_ENV=production for a service with users'),
    );
  } else if (graphiql) {
    found.push(
      warning('settings', 'GraphiQL is enabled in production', 'leave GRAPHIQL empty, or set it to false'),
    );
  }
  if (adminPort === undefined) {
    found.push(
      warning('settings', 'metrics are not served', 'set ADMIN_PORT, and let only the scraper reach it'),
    );
  } else if (adminPort === port) {
    found.push(
      warning('settings', 'ADMIN_PORT and PORT are the same', 'give the metrics a port of their own'),
    );
  }
  return found.length > 0 ? found : [good('settings', 'all settings are valid')];
}

/** Imports fail without these files. */
function checkFiles(files: Config['enrich']): Diagnosis[] {
  return Object.entries(files).flatMap(([name, path]) => {
    const setting = `ENRICH_${name.toUpperCase()}`;
    const problem = typeof path === 'string' && findReadError(path);
    return problem
      ? [fault('settings', `${setting} cannot be read: ${problem}`, `correct ${setting}, or leave it empty`)]
      : [];
  });
}

function findReadError(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
