import { setFlagsFromString } from 'node:v8';
import type { ExportPage, ExportPath, RetryOptions } from '@sightline/client';
import { isReportType, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { connect, describeServiceError } from '../service/service.ts';
import { untilEnded } from '../terminal/ending.ts';
import { CommandFailed, INTERRUPTED } from '../terminal/failure.ts';
import { LoadMeter } from '../terminal/meter.ts';
import { say } from '../terminal/output.ts';
import { openTarget, ReaderGone, type Target } from '../terminal/target.ts';
import { parseTime, parseUrl } from '../terminal/values.ts';
import { readText, replaceText } from '../terminal/whole-file.ts';
import { FILE_FORMS } from './file-forms.ts';
import { EXPORT_PATH, type FormName, FURTHER_EXPORTS, LONGEST_CURSOR, MEDIA_TYPES, NOT } from './path.ts';

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

/** The parts of the service that the command needs. */
export interface ExportCommandDeps {
  /** Returns the account's key. */
  key(): string;
  /** Returns the names of a type's filters. */
  listFilters(type: ReportType): readonly string[];
}

/** Creates the command that exports an account's data from a running service. */
export function exportCommand({ key, listFilters: filtersOf }: ExportCommandDeps): Command {
  return new Command('export')
    .description('export all data of an account, in the order of arrival, from a running service')
    .addArgument(
      new Argument('<what>', 'a report type, or another kind of data').choices([
        ...REPORT_TYPES,
        ...FURTHER_EXPORTS,
      ]),
    )
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .option('--output <file>', 'write to this file, - for standard output', '-')
    .addOption(new Option('--format <form>', 'the form').choices(Object.keys(MEDIA_TYPES)).default('ndjson'))
    .option('--from <time>', 'the start of the period, by report date (ISO 8601)')
    .option('--to <time>', 'the end of the period, which is not included (ISO 8601)')
    .option('--where <filter=value>', 'only reports that match; may be repeated', collect, [])
    .option('--not <filter=value>', 'without reports that match; may be repeated', collect, [])
    .option('--cursor <file>', 'save the position in this file, and continue from there')
    .option('--new', 'without a saved cursor: export only reports that arrive from now on')
    .option('--follow', 'keep exporting new reports, until SIGTERM')
    .option('--every <time>', 'with --follow: the interval between requests', parseTime)
    .addOption(
      new Option('--retry <time>', 'how long to wait before the second try; later ones wait longer')
        .argParser(parseTime)
        .default(1000, '1s'),
    )
    .addHelpText(
      'after',
      '\nSIGHTLINE_KEY is the key of the account. A broken connection is retried, and the export continues where it stopped.',
    )
    .addHelpText(
      'after',
      'With --cursor or --follow, lines are appended to the file; otherwise it is replaced once the export is complete.',
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
      const problem = findProblem(what, options, isReportType(what) ? filtersOf(what) : []);
      if (problem) command.error(`error: ${problem}`);
      return runExport(key(), what, options);
    });
}

function findProblem(
  what: string,
  { format, cursor, follow, every, where, not }: Options,
  existing: readonly string[],
): string | undefined {
  if ((cursor !== undefined || follow) && format !== 'ndjson')
    return `--format ${format} is for whole files: --cursor and --follow write NDJSON`;
  if (every !== undefined && !follow) return '--every requires --follow';
  const unknown = [...where, ...not].find(([name]) => !existing.includes(name));
  if (!unknown) return undefined;
  return existing.length === 0
    ? `${what} has no filters`
    : `${what} has no filter ${unknown[0]}, only ${existing.join(', ')}`;
}

/**
 * How much the heap can grow between two collections, in percent. Chunks of responses are outside the small heap, and
 * V8 would collect the heap for every few of them.
 */
const HEAP_GROWTH = 400;

/**
 * Runs the command.
 * @throws {CommandFailed}
 */
async function runExport(key: string, what: string, options: Options): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const { url, cursor: cursorFile, follow = false, every } = options;
  const after = (cursorFile && (await readCursorFile(cursorFile))) ?? (options.new ? 'now' : '');
  const { client } = connect(url.href.replace(/\/$/, ''), key, chooseRetries(options));
  await untilEnded(async signal => {
    const { format, path, parameters } = toRequest(what, options);
    const paging = { format, after, follow, every, signal };
    try {
      await exportTo(client.pages(path, parameters, paging), options);
    } catch (error) {
      if (error instanceof ReaderGone || (signal.aborted && follow)) return;
      if (signal.aborted) throw new CommandFailed('Interrupted.', INTERRUPTED);
      throw error;
    }
  });
}

/** Maximum number of retries per page, without `--follow`. */
const RETRIES = 7;

function chooseRetries({ follow, retry }: Options): RetryOptions {
  return {
    retries: follow ? Number.POSITIVE_INFINITY : RETRIES,
    longestWait: Number.POSITIVE_INFINITY,
    firstWait: retry,
    onRetry(error, tries) {
      if (tries === 1) say(`${describeServiceError(error)}. Trying again.`);
    },
  };
}

async function exportTo(
  pages: AsyncIterable<ExportPage>,
  { output, format, cursor, follow }: Options,
): Promise<void> {
  const target = await openTarget(output, cursor !== undefined || follow === true);
  const meter = new LoadMeter(process.stderr);
  try {
    await writePages(pages, target, format, meter, cursor);
    await target.end();
  } catch (error) {
    await target.giveUp();
    throw error;
  } finally {
    meter.clear();
  }
}

async function writePages(
  all: AsyncIterable<ExportPage>,
  target: Target,
  format: FormName,
  meter: LoadMeter,
  cursorFile: string | undefined,
): Promise<void> {
  const form = FILE_FORMS[format];
  let bytes = 0;
  for await (const { chunks, cursor, gap } of all) {
    if (gap) say('Reports were removed because of their age before they could be exported: there is a gap.');
    const texts = form.page(chunks, bytes === 0);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > 0) await target.write(...texts);
    bytes += length;
    if (cursorFile) await replaceText(cursorFile, `${cursor}\n`);
    meter.show(seconds => `${megabytes(bytes)}, ${megabytes(bytes / seconds)} a second`);
  }
  const last = form.end(bytes === 0);
  if (last !== '') await target.write(Buffer.from(last));
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns the path and the parameters of the export, without those that select pages. */
function toRequest(what: string, { format, from, to, where, not }: Options) {
  const filters = [...where, ...not.map(([name, value]): [string, string] => [NOT + name, value])];
  return {
    path: (EXPORT_PATH + (isReportType(what) ? `/reports/${what}` : `/${what}`)) as ExportPath,
    format: FILE_FORMS[format].requested,
    parameters: new URLSearchParams([...list('from', from), ...list('to', to), ...filters]),
  };
}

const list = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

/** Reads the stored cursor; returns undefined if there is no file yet. */
async function readCursorFile(path: string): Promise<string | undefined> {
  const text = await readText(path);
  if (text !== undefined && !(text.length <= LONGEST_CURSOR && /^[\w-]+\s*$/.test(text)))
    throw new CommandFailed(`${path} does not contain a cursor: remove it to start again`);
  return text?.trim();
}

function collect(text: string, others: [string, string][]): [string, string][] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give it as browser=Firefox.');
  return [...others, [name, value]];
}
