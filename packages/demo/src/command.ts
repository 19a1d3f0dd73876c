import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDate } from '@sightline/reports';
import { say, wholeNumber } from '@sightline/tools';
import { Command, InvalidArgumentError } from 'commander';
import { writeImportFiles } from './import/write.ts';
import { DEMO_DEFAULTS, type DemoOptions, demoFeed, demoToday } from './index.ts';

/** Writes a demo feed to standard output. It needs no database. */
export function demoCommand(): Command {
  const { accounts, reports, auditEvents, days, largest, seed } = DEMO_DEFAULTS;
  return new Command('demo')
    .description('write a demo feed to standard output, the same bytes for the same options and day')
    .option('--accounts <number>', 'how many accounts', wholeNumber(1, 10_000), accounts)
    .option('--reports <number>', 'how many reports in all', wholeNumber(0, 1_000_000_000), reports)
    .option(
      '--audit-events <number>',
      'how many audit events in all',
      wholeNumber(0, 1_000_000_000),
      auditEvents,
    )
    .option('--days <number>', 'over how many days, today being the last', wholeNumber(1, 3650), days)
    .option(
      '--largest <share>',
      "the first account's share of reports and events, 0 to 1",
      parseShare,
      largest,
    )
    .option('--seed <number>', 'another seed gives other data', wholeNumber(0, 0xffff_ffff), seed)
    .option('--today <date>', 'the day that counts as today (default: today, in UTC)', parseDay)
    .option(
      '--import <folder>',
      'write a file of every form that "sightline import" reads to this folder instead',
    )
    .addHelpText('after', '\nExample:\n  sightline demo --accounts 20 --reports 100000 | sightline load -')
    .action(async ({ today: given, import: folder, ...options }: Options) => {
      const { hoursOfToday } = DEMO_DEFAULTS;
      const today = given === undefined ? demoToday(Date.now()) : { today: given, hoursOfToday };
      if (folder === undefined) return writeAll(demoFeed({ ...options, ...today }));
      say(`${await writeImportFiles(folder, today.today)} files in ${folder}`);
    });
}

type Options = Omit<DemoOptions, 'today' | 'hoursOfToday'> & { today?: string; import?: string };

/** Writes at the pace of standard output. A reader that stops early, such as `head`, is not an error. */
async function writeAll(chunks: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), process.stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function parseShare(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value > 1) {
    throw new InvalidArgumentError('Give a number from 0 to 1, such as 0.4.');
  }
  return value;
}

/**
 * Up to 2039: certificates write years up to 2049 with two digits, and the demo's certificates must expire before that.
 */
function parseDay(text: string): string {
  if (!/^20[0-3]/.test(text) || !isDate(text))
    throw new InvalidArgumentError('Give a real date of the years 2000 to 2039 as YYYY-MM-DD.');
  return text;
}
