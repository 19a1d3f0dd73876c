import {
  type Bounds,
  DEFAULT_BOUNDS,
  FORMATS,
  type Format,
  type ImportOptions,
  toTime,
} from '@sightline/importer';
import { parseMailboxAddress } from '@sightline/importer/imap';
import { DURATION_FORMAT, parseDuration } from '@sightline/tools';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext, OperatorDatabase } from './context.ts';
import type { MailboxSource } from './import-mailbox-run.ts';
import { OF_ACCOUNTS, readRoutes } from './import-routes.ts';
import { type ImportRun, runImport } from './import-run.ts';
import { importWork } from './import-watch.ts';
import { type WatchOptions, watch, watchRoot as watchRootFolder, withWatch } from './watch.ts';

interface Options extends WatchOptions {
  imap?: string;
  folder?: string[];
  passwordFile?: string;
  tokenCommand?: string;
  ca?: string;
  timeout: number;
  follow?: true;
  again?: true;
  account?: string;
  route?: string;
  watchRoot?: string;
  format: Format;
  toFeed?: string;
  received?: number;
  skipped?: string;
  json?: true;
  verbose?: true;
  action: 'enforced' | 'reportOnly';
  stripQuery?: true;
  body?: string;
  time?: string;
  userAgent?: string;
}

/** Converts reports in any supported format to records, or to lines of the feed. */
export function importCommand(database: OperatorDatabase): Command {
  const command = withWatch(new Command('import'))
    .description(
      'import reports from mailboxes, logs, files and exports of other tools, all of it or nothing',
    )
    .argument('[path...]', 'files, folders, mailboxes and archives; - for standard input')
    .option('--account <id>', 'the account of the reports; with --route, of those without a route')
    .option(
      '--route <file>',
      'a file that maps hosts to accounts: lines "acme.example: acme", or "accounts" for the hosts of all accounts',
    )
    .addOption(
      new Option(
        '--watch-root <folder>',
        'like --watch, with a subfolder for each account, named by its id',
      ).conflicts(['account', 'route', 'watch', 'toFeed']),
    )
    .addOption(
      new Option(
        '--imap <address>',
        'read a mailbox without changing it: imaps://reports@acme.example@imap.acme.example/INBOX',
      ).conflicts(['watch', 'watchRoot', 'toFeed']),
    )
    .option(
      '--folder <name>',
      'with --imap: a folder, also with * for any characters; may be repeated',
      (name: string, before: string[] = []) => [...before, name],
    )
    .option('--password-file <file>', 'with --imap: the file with the password')
    .addOption(
      new Option(
        '--token-command <command>',
        'with --imap: a command that prints a token (OAuth 2.0)',
      ).conflicts('passwordFile'),
    )
    .option('--ca <file>', 'with --imap: trust the authority whose certificate this file contains')
    .addOption(
      new Option('--timeout <time>', 'with --imap: how long the server may be silent')
        .argParser(parseTimeout)
        .default(60_000, '60s'),
    )
    .option('--follow', 'with --imap: continue with new mail, until SIGTERM')
    .option(
      '--again',
      'with --imap: read the folders from their start, including mails that were read before',
    )
    .addOption(
      new Option('--format <form>', 'accept only reports of this format').choices(FORMATS).default('auto'),
    )
    .option(
      '--to-feed <file>',
      'write lines of the feed to this file (- for standard output) instead of loading them',
    )
    .option(
      '--received <time>',
      'the time of arrival of browser reports, if no log contains it (ISO 8601)',
      parseTime,
    )
    .option('--skipped <file>', 'write skipped items to this file, one JSON object per line')
    .option('--verbose', 'print each file with its number of records')
    .option('--json', 'print the summary as one line of JSON')
    .addOption(
      new Option('--action <action>', 'for CSP reports that do not contain it')
        .choices(['enforced', 'reportOnly'])
        .default('enforced'),
    )
    .option('--strip-query', 'remove the query and fragment of every address')
    .option('--body <field>', "the field of a log's lines that holds the report, as a dotted path")
    .option('--time <field>', 'the field with the time it was received')
    .option('--user-agent <field>', 'the field with the user agent')
    .addHelpText('after', '\nExample:\n  sightline import --account acme ~/Maildir')
    .addHelpText('after', '\nExit code 3: something was skipped, and the rest was imported.')
    // Writing lines of the feed needs no database.
    .hook('preAction', async command => {
      const { toFeed, route, imap } = command.opts<Options>();
      if (imap !== undefined) parseMailboxAddress(imap);
      if (toFeed === undefined || route === OF_ACCOUNTS) await database.open();
    })
    .action((paths: string[], options: Options) => {
      const { body, time, userAgent } = options;
      const isIncomplete = body === undefined && (time !== undefined || userAgent !== undefined);
      if (isIncomplete) command.error('error: --time and --user-agent need --body');
      const { account, route, watchRoot, watch: folder } = options;
      const isWatch = folder !== undefined || watchRoot !== undefined || options.imap !== undefined;
      if (isWatch === paths.length > 0)
        command.error('error: name what to import, or a folder to watch, or a mailbox');
      const misused = findMisusedOption(options);
      if (misused !== undefined) command.error(`error: ${misused}`);
      if (folder !== undefined && options.toFeed !== undefined)
        command.error('error: --to-feed and --watch exclude each other');
      if (watchRoot === undefined && account === undefined && route === undefined)
        command.error('error: name the account with --account, or routes to accounts with --route');
      return start(database, paths, options);
    });
  for (const [bound, text] of Object.entries(BOUNDS) as [keyof Bounds, string][]) {
    command.addOption(
      new Option(`--${toFlag(bound)} <number>`, text).argParser(parseBound).default(DEFAULT_BOUNDS[bound]),
    );
  }
  return command;
}

async function start(database: CommandContext, paths: string[], options: Options): Promise<void> {
  const { watch: folder, watchRoot, every, remove = false, shared = false, route } = options;
  const run = toRun(paths, options);
  const { imap } = options;
  const routed = async () =>
    route === undefined ? run.options : { ...run.options, routes: await readRoutes(database, route) };
  if (watchRoot !== undefined) {
    const toWork = (accountId: string) => importWork(database, async () => ({ ...run.options, accountId }));
    return watchRootFolder({ folder: watchRoot, every, remove, shared }, toWork);
  }
  // Invalid routes are reported before the work begins.
  const first = await routed();
  if (imap !== undefined) {
    const { runMailboxImport } = await import('./import-mailbox-run.ts');
    return runMailboxImport(database, toMailboxSource(imap, options), options.follow ?? false, run, routed);
  }
  if (folder !== undefined) return watch({ folder, every, remove, shared }, importWork(database, routed));
  return runImport(database, { ...run, options: first });
}

const OF_MAILBOXES = ['folder', 'passwordFile', 'tokenCommand', 'ca', 'follow', 'again'] as const;

/** Checks the options of a mailbox. Returns a description of the problem, or undefined. */
function findMisusedOption(options: Options): string | undefined {
  const { imap, passwordFile, tokenCommand } = options;
  const given = OF_MAILBOXES.find(name => options[name] !== undefined);
  if (imap === undefined)
    return given && `--${given.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} needs --imap`;
  if (passwordFile === undefined && tokenCommand === undefined)
    return 'use --password-file for the password, or --token-command for a token';
  return undefined;
}

function toMailboxSource(imap: string, options: Options): MailboxSource {
  const { passwordFile, tokenCommand, ca, timeout, again = false, folder = [] } = options;
  const address = parseMailboxAddress(imap);
  const named = [...(address.folder === '' ? [] : [address.folder]), ...folder];
  const folders = named.length === 0 ? ['INBOX'] : named;
  return {
    address,
    folders,
    credentials: { passwordFile, tokenCommand },
    connection: { authority: ca, timeout },
    again,
  };
}

const BOUNDS: Readonly<Record<keyof Bounds, string>> = {
  compressed: 'bytes of a gzip or a zip at most',
  decompressed: 'bytes that one gives at most',
  mail: 'bytes of a mail at most',
  mimeDepth: 'levels of MIME parts at most',
  parts: 'MIME parts of a mail at most',
  members: 'files in a zip at most',
  nestedZips: 'levels of zips in a zip at most',
  xmlDepth: 'levels of XML at most',
  jsonDepth: 'levels of JSON at most',
  records: 'records of a report at most',
  growth: 'times its own size that a file or a mail can expand to at most, in addition to 4 MB',
};

/** Returns the option for a limit: `max-mime-depth` for `mimeDepth`. */
function toFlag(bound: keyof Bounds): string {
  return `max-${bound.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

function toRun(paths: string[], given: Options): ImportRun {
  const { account, format, received, action, stripQuery, body, time, userAgent } = given;
  const bounds = Object.fromEntries(
    Object.keys(BOUNDS).map(bound => [
      bound,
      (given as unknown as Record<string, number>)[`max${bound[0]!.toUpperCase()}${bound.slice(1)}`],
    ]),
  ) as unknown as Bounds;
  const options: ImportOptions = {
    accountId: account,
    format,
    action,
    stripQuery: stripQuery ?? false,
    bounds,
    ...(received !== undefined && { received }),
    ...(body !== undefined && {
      fields: { body, ...(time !== undefined && { time }), ...(userAgent !== undefined && { userAgent }) },
    }),
  };
  const { toFeed, skipped, json = false, verbose = false } = given;
  return { paths, options, toFeed, skipped, json, verbose };
}

function parseTimeout(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 100 || value > 600_000)
    throw new InvalidArgumentError(`Give ${DURATION_FORMAT}, from 100 ms to 10 min.`);
  return value;
}

function parseTime(text: string): number {
  const time = toTime(text);
  if (time === undefined) throw new InvalidArgumentError('Give a time as 2026-01-31T12:00:00Z.');
  return time;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };

function parseBound(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)B?$/i.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Give a whole number, such as 1000 or 25M.');
  return Number(digits) * UNITS[unit.toUpperCase()]!;
}
