import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type DemoKeys, OWN_ACCOUNT, ownKeyFile } from './first-start.ts';

export interface MadeKeys {
  /** The demo's keys, or the own account's; in full, where they were just made. */
  keys?: DemoKeys | undefined;
  ownKey?: string | undefined;
  keysFile: string;
}

export interface Greeting extends MadeKeys {
  url: string;
  /** Undefined where the page is switched off; `code` signs it in, once. */
  page: { code: string | undefined } | undefined;
  account: string;
  /** Where its browsers report to, where there is a collector. */
  collector: string | undefined;
}

/** Prints the first steps for a newcomer, once the service answers. */
export function greeting(known: Greeting): string {
  const { url, page } = known;
  return [
    '',
    `Sightline answers at ${url}`,
    '',
    ...(page ? [pageLine(url, page.code)] : []),
    `  Documentation    ${url}/docs`,
    `  GraphQL          ${url}/graphql`,
    '',
    ...keyLines(known),
    '',
    ...collectorLines(known),
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
  if (keys) return madeKeys(url, keys, keysFile);
  if (ownKey !== undefined) return [...shownKey(ownKey, keysFile), '', ...bringReports()];
  if (!existsSync(keysFile)) return noKeys();
  return basename(keysFile) === basename(ownKeyFile('')) ? keptOwnKey(keysFile) : keptKeys(url, keysFile);
}

function shownKey(key: string, keysFile: string): string[] {
  return [`  Key              ${key}`, '', `It is shown in full only this once. It is kept in ${keysFile}`];
}

function keptOwnKey(keysFile: string): string[] {
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
