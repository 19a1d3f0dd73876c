import { MS_PER_DAY } from '@sightline/reports';
import { Command, Option } from 'commander';
import { connect } from '../service/service.ts';
import { parseUrl } from '../terminal/values.ts';
import { computeDigest, DIGEST_FORMATS, type DigestFormat } from './digest.ts';
import { insightsSince, isAtLeast, SEVERITIES, type Severity } from './insights.ts';

interface Options {
  url: URL;
  format: DigestFormat;
  period: keyof typeof DAYS;
  minSeverity: Severity;
}

const DAYS = { day: 1, week: 7, month: 30 } as const;

/**
 * Creates the command that prints the insights of a period, for mails or files.
 * @param key returns the account's key
 */
export function digestCommand(key: () => string): Command {
  return new Command('digest')
    .description('write the insights of a period, for a mail or a ticket')
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .addOption(new Option('--format <form>', 'the form').choices(Object.keys(DIGEST_FORMATS)).default('text'))
    .addOption(new Option('--period <period>', 'how far back').choices(Object.keys(DAYS)).default('week'))
    .addOption(
      new Option('--min-severity <severity>', 'the lowest severity to report')
        .choices(SEVERITIES)
        .default('notice'),
    )
    .addHelpText('after', '\nSIGHTLINE_KEY is the key of the account. A quiet period says so.')
    .addHelpText(
      'after',
      '\nExample:\n  sightline digest --url https://reports.example.com | mail -s "Insights of the week" web@example.com',
    )
    .action((options: Options) => runDigest(key(), options));
}

/**
 * Runs the command.
 * @throws {SightlineError}
 */
async function runDigest(key: string, { url, format, period, minSeverity }: Options): Promise<void> {
  const base = url.href.replace(/\/$/, '');
  const until = new Date();
  const from = new Date(until.getTime() - DAYS[period] * MS_PER_DAY);
  const all = await insightsSince(connect(base, key), from);
  const insights = all.filter(insight => isAtLeast(insight, minSeverity));
  process.stdout.write(computeDigest({ period, from, until, insights, base }, format));
}
