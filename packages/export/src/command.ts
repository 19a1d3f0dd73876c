import { isReportType, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { untilEnded } from '@sightline/terminal/ending';
import { CommandFailed } from '@sightline/terminal/failure';
import { LoadMeter } from '@sightline/terminal/meter';
import { say } from '@sightline/terminal/output';
import { openTarget, ReaderGone, type Target } from '@sightline/terminal/target';
import { parseTime, parseUrl } from '@sightline/terminal/values';
import { readText, replaceText } from '@sightline/terminal/whole-file';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { FILE_FORMS } from './file-forms.ts';
import { type Page, pages, type Question } from './pages.ts';
import {
  EXPORT_PATH,
  type FormName,
  FURTHER_EXPORTS,
  LARGEST_PAGE,
  LONGEST_CURSOR,
  MEDIA_TYPES,
  NOT,
} from './path.ts';

interface Options {
  url: URL;
  output: string;
  format: FormName;
  from?: string;
  to?: string;
  where: [name: string, value: string][];
  not: [name: string, value: string][];
  cursor?: string;
  new?: true;
  follow?: true;
  every?: number;
  retry: number;
}

/** The exit code of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Says of the service what the command alone does not know. */
export interface Surroundings {
  /** The key of the account. */
  key(): string;
  /** The names of the filters that reports of a type have. */
  filtersOf(type: ReportType): readonly string[];
}

/** Everything that an account has, from a running service. */
export function exportCommand({ key, filtersOf }: Surroundings): Command {
  return new Command('export')
    .description(
      'export everything that an account has, in the order in which it came, from a running service',
    )
    .addArgument(
      new Argument('<what>', 'a report type, or what else there is').choices([
        ...REPORT_TYPES,
        ...FURTHER_EXPORTS,
      ]),
    )
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .option('--output <file>', 'write to this file, - for standard output', '-')
    .addOption(new Option('--format <form>', 'the form').choices(Object.keys(MEDIA_TYPES)).default('ndjson'))
    .option('--from <time>', 'the first instant, by date (ISO 8601)')
    .option('--to <time>', 'the first instant behind the last')
    .option('--where <filter=value>', 'only reports that match; may be repeated', collect, [])
    .option('--not <filter=value>', 'without reports that match; may be repeated', collect, [])
    .option('--cursor <file>', 'keep in this file how far it came, and go on from there')
    .option('--new', 'where no cursor is kept yet: only what comes from now on')
    .option('--follow', 'keep asking for what comes, until SIGTERM')
    .option('--every <time>', 'with --follow: how long from one question to the next', parseTime)
    .option(
      '--retry <time>',
      'how long to wait before the second try; later ones wait longer',
      parseTime,
      1000,
    )
    .addHelpText(
      'after',
      '\nSIGHTLINE_KEY is the key of the account. A broken connection is made anew, and costs nothing.',
    )
    .addHelpText(
      'after',
      'With --cursor or --follow the file grows, line by line; otherwise it is replaced when all is there.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sightline export csp --url https://reports.example.com --output csp.ndjson',
    )
    .addHelpText(
      'after',
      '  sightline export csp --url https://reports.example.com --follow --cursor csp.cursor --output csp.ndjson',
    )
    .action((what: string, options: Options, command: Command) => {
      const problem = problemOf(what, options, isReportType(what) ? filtersOf(what) : []);
      if (problem) command.error(`error: ${problem}`);
      return runExport(key(), what, options);
    });
}

function problemOf(
  what: string,
  { format, cursor, follow, every, where, not }: Options,
  known: readonly string[],
): string | undefined {
  if ((cursor !== undefined || follow) && format !== 'ndjson')
    return `--format ${format} is for whole files: --cursor and --follow write NDJSON`;
  if (every !== undefined && !follow) return '--every goes with --follow';
  const unknown = [...where, ...not].find(([name]) => !known.includes(name));
  if (!unknown) return undefined;
  return known.length === 0
    ? `${what} has no filters`
    : `${what} has no filter ${unknown[0]}, only ${known.join(', ')}`;
}

/** @throws {CommandFailed} */
async function runExport(key: string, what: string, options: Options): Promise<void> {
  const { cursor: cursorFile, follow = false, every, retry } = options;
  const after = (cursorFile && (await keptCursor(cursorFile))) ?? (options.new ? 'now' : '');
  await untilEnded(async signal => {
    try {
      await exportTo({ url: addressOf(what, options), key, after, follow, every, retry, signal }, options);
    } catch (error) {
      if (error instanceof ReaderGone || (signal.aborted && follow)) return;
      if (signal.aborted) throw new CommandFailed('Interrupted.', INTERRUPTED);
      throw error;
    }
  });
}

async function exportTo(question: Question, { output, format, cursor, follow }: Options): Promise<void> {
  const target = await openTarget(output, cursor !== undefined || follow === true);
  const meter = new LoadMeter(process.stderr);
  try {
    await writePages(pages(question), target, format, meter, cursor);
    await target.end();
  } catch (error) {
    await target.giveUp();
    throw error;
  } finally {
    meter.clear();
  }
}

async function writePages(
  all: AsyncIterable<Page>,
  target: Target,
  format: FormName,
  meter: LoadMeter,
  cursorFile: string | undefined,
): Promise<void> {
  const form = FILE_FORMS[format];
  let bytes = 0;
  for await (const { body, cursor, isGap } of all) {
    if (isGap) say('Reports were removed for their age before they could be exported: there is a gap.');
    const text = form.page(body, bytes === 0);
    if (text.length > 0) await target.write(text);
    bytes += text.length;
    if (cursorFile) await replaceText(cursorFile, `${cursor}\n`);
    meter.show(seconds => `${megabytes(bytes)}, ${megabytes(bytes / seconds)} a second`);
  }
  const last = form.end(bytes === 0);
  if (last !== '') await target.write(Buffer.from(last));
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function addressOf(what: string, { url, format, from, to, where, not }: Options): URL {
  const path = isReportType(what) ? `/reports/${what}` : `/${what}`;
  const address = new URL(url.href.replace(/\/$/, '') + EXPORT_PATH + path);
  const query = address.searchParams;
  query.set('limit', String(LARGEST_PAGE));
  query.set('format', FILE_FORMS[format].asked);
  if (from !== undefined) query.set('from', from);
  if (to !== undefined) query.set('to', to);
  for (const [name, value] of where) query.append(name, value);
  for (const [name, value] of not) query.append(NOT + name, value);
  return address;
}

/** Undefined where there is none yet. */
async function keptCursor(path: string): Promise<string | undefined> {
  const text = await readText(path);
  if (text !== undefined && !(text.length <= LONGEST_CURSOR && /^[\w-]+\s*$/.test(text)))
    throw new CommandFailed(`${path} holds no cursor: remove it to begin anew`);
  return text?.trim();
}

function collect(text: string, others: [string, string][]): [string, string][] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give it as browser=Firefox.');
  return [...others, [name, value]];
}
