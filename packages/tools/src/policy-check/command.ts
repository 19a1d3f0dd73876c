import { open } from 'node:fs/promises';
import { SightlineError } from '@sightline/client';
import { isDate, MS_PER_DAY } from '@sightline/reports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { connect, describeServiceError } from '../service/service.ts';
import { parseDuration } from '../terminal/duration.ts';
import { CommandFailed } from '../terminal/failure.ts';
import { collectValues, parseUrl, wholeNumber } from '../terminal/values.ts';
import { checkPolicies, type PolicyFile } from './check.ts';
import { checkDmarc, type DmarcFile } from './dmarc/check.ts';
import { formatDmarcReport } from './dmarc/formats.ts';
import { readDmarcRecord } from './dmarc/record.ts';
import { FORMATS, formatReport, type OutputFormat } from './formats.ts';
import { LARGEST_FILE, readPolicies, UnreadableFile } from './read.ts';

interface Options {
  url: URL;
  site?: string;
  domain?: string;
  since: (now: Date) => string;
  baseline?: string;
  path: string[];
  allow: number;
  format: OutputFormat;
  asEnforced?: true;
  requireTrial?: true;
  allowEmpty?: true;
}

/** Exit codes: a policy newly blocks something, and the check could not be completed. */
const BLOCKED = 1;
const UNFINISHED = 2;

/**
 * Creates the command that checks policies.
 * @param key returns the account's key
 */
export function policyCommand(key: () => string): Command {
  return new Command('policy')
    .description('check Content Security Policies and DMARC records before they are published')
    .addCommand(checkCommand(key));
}

function checkCommand(key: () => string): Command {
  return new Command('check')
    .description(
      'replay the policies of files over reports: what would they newly block, or which mail would they lose?',
    )
    .argument(
      '<file...>',
      'headers, _headers, a configuration of nginx or Caddy, or JSON; or a DMARC record; - is standard input',
    )
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .option('--site <host>', 'host name of the site of a CSP; * stands for any characters')
    .option('--domain <domain>', 'domain of a DMARC record, where the file does not name it')
    .addOption(
      new Option('--since <time>', 'reports from when on: 30d (whole days, UTC), 12h, or 2026-11-01')
        .argParser(parseSince)
        .default(parseSince('30d'), '30d'),
    )
    .option('--baseline <file>', 'the policies that are sent today: what they block is not new')
    .option('--path <path>', 'only pages with this path, such as /shop*; may be repeated', collectValues, [])
    .option(
      '--allow <reports>',
      'pass while a policy newly blocks no more reports, or loses no more messages',
      wholeNumber(0, 1e12),
      0,
    )
    .addOption(new Option('--format <format>', 'the form').choices(FORMATS).default('text'))
    .option('--as-enforced', 'also let Report-Only policies fail the check')
    .option('--require-trial', 'do not pass where no policy as tight was sent for the whole period')
    .option('--allow-empty', 'pass where the site or the domain has no reports')
    .addHelpText('after', '\nSIGHTLINE_KEY is the key of the account.')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing new is blocked or lost; 1 something is; 2 incorrect usage, no response, or an incomplete check.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  sightline policy check public/_headers --url https://reports.example.com --site shop.example.com',
    )
    .action(async (files: string[], options: Options) => {
      const isPassed = await run(key, files, options).catch(error => {
        throw toUnfinished(error);
      });
      if (!isPassed)
        throw new CommandFailed(
          'The check did not pass: a policy blocks or loses more than --allow.',
          BLOCKED,
        );
    });
}

function toUnfinished(error: unknown): unknown {
  if (error instanceof CommandFailed) return new CommandFailed(error.message, UNFINISHED);
  if (error instanceof SightlineError)
    return new CommandFailed(`${describeServiceError(error)}. The check was not completed.`, UNFINISHED);
  return new CommandFailed(`The check failed: ${error instanceof Error ? error.message : error}`, UNFINISHED);
}

async function run(key: () => string, names: readonly string[], options: Options): Promise<boolean> {
  const texts: NamedText[] = [];
  for (const name of names) texts.push({ name, text: await readText(name) });
  const records = texts.flatMap(one => readRecord(one, options.domain) ?? []);
  if (records.length > 0 && records.length < texts.length)
    throw new CommandFailed('Check DMARC records and Content Security Policies in separate commands.');
  const { result, output } = await (records.length > 0
    ? runDmarc(key, records, options)
    : runCsp(key, texts, options));
  process.stdout.write(output);
  if (result === 'incomplete')
    throw new CommandFailed(
      'The check is incomplete, so it does not pass: the reasons are above.',
      UNFINISHED,
    );
  return result === 'passed';
}

interface NamedText {
  name: string;
  text: string;
}

const connectTo = (url: URL, key: string) => connect(url.href.replace(/\/$/, ''), key);

async function runCsp(key: () => string, texts: readonly NamedText[], options: Options) {
  const { url, site, since, baseline, path, allow, format } = options;
  if (site === undefined) throw new CommandFailed('A Content Security Policy needs --site <host>.');
  if (options.domain !== undefined)
    throw new CommandFailed('--domain is for DMARC records, and the files have none.');
  const files = texts.map(readFile);
  const before =
    baseline === undefined ? undefined : readFile({ name: baseline, text: await readText(baseline) });
  const report = await checkPolicies(connectTo(url, key()), {
    site,
    from: since,
    files,
    baseline: before?.policies,
    paths: path.length > 0 ? path : undefined,
    allow,
    asEnforced: options.asEnforced ?? false,
    requireTrial: options.requireTrial ?? false,
    allowEmpty: options.allowEmpty ?? false,
  });
  return { result: report.result, output: formatReport(format, report) };
}

async function runDmarc(key: () => string, files: readonly DmarcFile[], options: Options) {
  const { url, since, allow, format, site, baseline, path, asEnforced, requireTrial, allowEmpty } = options;
  if (site ?? baseline ?? path[0] ?? asEnforced ?? requireTrial)
    throw new CommandFailed(
      'A DMARC record accepts --domain, --since, --allow, --allow-empty and --format: the other options are for Content Security Policies.',
    );
  const report = await checkDmarc(connectTo(url, key()), {
    from: since,
    files,
    allow,
    allowEmpty: allowEmpty ?? false,
  });
  return { result: report.result, output: formatDmarcReport(format, report) };
}

/**
 * Reads a DMARC record.
 * @throws {CommandFailed} if the record is invalid, or its domain is missing or differs from the given one
 */
function readRecord({ name, text }: NamedText, given: string | undefined): DmarcFile | undefined {
  const record = readOrFail(name, () => readDmarcRecord(text.replace(/^\uFEFF/, '')));
  if (!record) return undefined;
  const wanted = given?.toLowerCase().replace(/\.$/, '');
  const domain = record.domain ?? wanted;
  if (!domain) throw new CommandFailed(`${name} has a DMARC record without its domain: give --domain.`);
  if (wanted !== undefined && wanted !== domain)
    throw new CommandFailed(`${name} has the DMARC record of ${domain}, and --domain is ${wanted}.`);
  return { ...record, file: name, domain };
}

/**
 * Reads a file with policies.
 * @throws {CommandFailed} if it contains none
 */
const readFile = ({ name, text }: NamedText): PolicyFile => ({
  file: name,
  ...pick(readOrFail(name, () => readPolicies(name, text))),
});

function readOrFail<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new CommandFailed(`${name} ${error.message}.`);
    throw error;
  }
}

const pick = ({ policies, refusals }: ReturnType<typeof readPolicies>) => ({ policies, refusals });

/**
 * Reads a file or standard input.
 * @throws {CommandFailed} if it cannot be read or is too large
 */
async function readText(name: string): Promise<string> {
  const handle = name === '-' ? undefined : await open(name).catch(error => fail(name, error));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of handle?.createReadStream({ autoClose: false }) ?? process.stdin) {
      chunks.push(Buffer.from(chunk));
      size += chunks.at(-1)!.length;
      if (size > LARGEST_FILE) throw new CommandFailed(`${name} is larger than ${LARGEST_FILE} bytes.`);
    }
  } catch (error) {
    throw error instanceof CommandFailed ? error : fail(name, error);
  } finally {
    await handle?.close();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function fail(name: string, error: unknown): never {
  throw new CommandFailed(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}.`);
}

/**
 * Parses the length of the period. Days are whole and include today, as on the page, so that the service can use its
 * daily rollups.
 */
function parseSince(text: string): (now: Date) => string {
  if (isDate(text)) return () => `${text}T00:00:00Z`;
  const time = /^\d+(?:m|h|d)$/.test(text) ? parseDuration(text) : undefined;
  if (!time || time > 3660 * MS_PER_DAY) throw new InvalidArgumentError('Give 30d, 12h or 2026-11-01.');
  if (!text.endsWith('d')) return now => new Date(now.getTime() - time).toISOString();
  return now => `${new Date(now.getTime() - time + MS_PER_DAY).toISOString().slice(0, 10)}T00:00:00Z`;
}
