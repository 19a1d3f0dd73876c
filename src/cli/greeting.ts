import { existsSync } from 'node:fs';
import type { DemoKeys } from './first-start.ts';

export interface Greeting {
  url: string;
  /** Undefined where the page is switched off; `code` signs it in, once. */
  page: { code: string | undefined } | undefined;
  /** In full, where they were just made. */
  keys: DemoKeys | undefined;
  keysFile: string;
}

/** What a newcomer needs, once the service answers. */
export function greeting({ url, page, keys, keysFile }: Greeting): string {
  return [
    '',
    `Sightline answers at ${url}`,
    '',
    ...(page ? [pageLine(url, page.code)] : []),
    `  Documentation    ${url}/docs`,
    `  GraphQL          ${url}/graphql`,
    '',
    ...(keys ? madeKeys(url, keys, keysFile) : existsSync(keysFile) ? keptKeys(url, keysFile) : noKeys()),
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}

function pageLine(url: string, code: string | undefined): string {
  return code
    ? `  Page             ${url}/app#code=${code}  (signs in once)`
    : `  Page             ${url}/app`;
}

function madeKeys(url: string, { personal, team, internal }: DemoKeys, keysFile: string): string[] {
  return [
    `  Personal key     ${personal}`,
    `  Team key         ${team}`,
    `  Internal token   ${internal}  (for /graphql and /export)`,
    '',
    `The keys are shown in full only this once. They are kept in ${keysFile}`,
    '',
    'Try it:',
    `  curl -H 'Authorization: Bearer ${team}' ${url}/v1/team`,
  ];
}

function keptKeys(url: string, keysFile: string): string[] {
  return [
    `The demo's keys are in ${keysFile}`,
    '',
    'Try it:',
    `  curl -H "Authorization: Bearer $(sed -n s/^TEAM_KEY=//p ${quoted(keysFile)})" ${url}/v1/team`,
  ];
}

function noKeys(): string[] {
  return ['Make a key for one of its accounts:', '  npx sightline keys create --account ID'];
}

/** For a POSIX shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
