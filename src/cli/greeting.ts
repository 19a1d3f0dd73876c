import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type DemoKeys, OWN_ACCOUNT, ownKeyFile } from './first-start.ts';

export interface GeneratedKeys {
  /** The keys of the demo or of the own account; complete if they were just created. */
  keys?: DemoKeys | undefined;
  ownKey?: string | undefined;
  keysFile: string;
}

export interface Greeting extends GeneratedKeys {
  url: string;
  /** Undefined if the page is disabled; `code` signs in once. */
  page: { code: string | undefined } | undefined;
  account: string;
  /** The reporting address for browsers, if there is a collector. */
  collector: string | undefined;
}

/** Prints the first steps for a newcomer. */
export function greeting(existing: Greeting): string {
  const { url, page } = existing;
  return [
    '',
    `Sightline answers at ${url}`,
    '',
    ...(page ? [pageLine(url, page.code)] : []),
    `  Documentation    ${url}/docs`,
    `  GraphQL          ${url}/graphql`,
    '',
    ...keyLines(existing),
    '',
    ...collectorLines(existing),
    'Ctrl-C ends it.',
  ].join('\n');
}

function collectorLines({ account, collector }: Greeting): string[] {
  if (collector === undefined) return [];
  return [
    `Browsers report to ${collector}`,
    'The headers that make them do so:',
    `  npx sightline collect headers --account ${account} --url ${collector}`,
    '',
  ];
}

function keyLines({ url, keys, ownKey, keysFile }: Greeting): string[] {
  if (keys) return formatCreatedKeys(url, keys, keysFile);
  if (ownKey !== undefined) return [...formatKeyLines(ownKey, keysFile), '', ...bringReports()];
  if (!existsSync(keysFile)) return noKeys();
  return basename(keysFile) === basename(ownKeyFile(''))
    ? formatOwnKeyNote(keysFile)
    : formatStoredKeys(url, keysFile);
}

function formatKeyLines(key: string, keysFile: string): string[] {
  return [`  Key              ${key}`, '', `It is shown in full only once. It is saved in ${keysFile}`];
}

function formatOwnKeyNote(keysFile: string): string[] {
  return [`The key is in ${keysFile}`, '', ...bringReports()];
}

function bringReports(): string[] {
  return [
    'Bring your reports, from another shell:',
    `  npx sightline import --account ${OWN_ACCOUNT} ~/Maildir`,
  ];
}

function pageLine(url: string, code: string | undefined): string {
  return code
    ? `  Page             ${url}/app#code=${code}  (signs in once)`
    : `  Page             ${url}/app`;
}

function formatCreatedKeys(url: string, { personal, team, internal }: DemoKeys, keysFile: string): string[] {
  return [
    `  Personal key     ${personal}`,
    `  Team key         ${team}`,
    `  Internal token   ${internal}  (for /graphql and /export)`,
    '',
    `The keys are shown in full only once. They are saved in ${keysFile}`,
    '',
    'Try it:',
    `  curl -H 'Authorization: Bearer ${team}' ${url}/v1/team`,
  ];
}

function formatStoredKeys(url: string, keysFile: string): string[] {
  return [
    `The demo's keys are in ${keysFile}`,
    '',
    'Try it:',
    `  curl -H "Authorization: Bearer $(sed -n s/^TEAM_KEY=//p ${quoted(keysFile)})" ${url}/v1/team`,
  ];
}

function noKeys(): string[] {
  return ['Create a key for one of its accounts:', '  npx sightline keys create --account ID'];
}

/** Quotes a path for a POSIX shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
