import { AskFailed, askWith } from '@sightline/ask';
import { CommandFailed } from '@sightline/terminal/failure';
import { parseUrl } from '@sightline/terminal/values';
import { Command, Option } from 'commander';
import { DIGEST_FORMATS, type DigestFormat, digestOf } from './digest.ts';
import { isAtLeast, SEVERITIES, type Severity, signsSince } from './signs.ts';

interface Options {
  url: URL;
  format: DigestFormat;
  period: keyof typeof DAYS;
  minSeverity: Severity;
}

const DAYS = { day: 1, week: 7, month: 30 } as const;
const DAY = 24 * 3_600_000;

/**
 * The signs of a period on standard output, to mail or to file.
 * @param key finds the key of the account
 */
export function digestCommand(key: () => string): Command {
  return new Command('digest')
    .description('write the signs of a period, for a mail or a ticket')
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .addOption(new Option('--format <form>', 'the form').choices(Object.keys(DIGEST_FORMATS)).default('text'))
    .addOption(new Option('--period <period>', 'how far back').choices(Object.keys(DAYS)).default('week'))
    .addOption(
      new Option('--min-severity <severity>', 'the least urgent that is told')
        .choices(SEVERITIES)
        .default('notice'),
    )
    .addHelpText('after', '\nSIGHTLINE_KEY is the key of the account. A quiet period says so.')
    .addHelpText(
      'after',
      '\nExample:\n  sightline digest --url https://reports.example.com | mail -s "Signs of the week" web@example.com',
    )
    .action((options: Options) => runDigest(key(), options));
}

/** @throws {CommandFailed} */
async function runDigest(key: string, { url, format, period, minSeverity }: Options): Promise<void> {
  const base = url.href.replace(/\/$/, '');
  const until = new Date();
  const from = new Date(until.getTime() - DAYS[period] * DAY);
  const all = await signsSince(askWith(base, `Bearer ${key}`), from).catch(error => {
    throw error instanceof AskFailed ? new CommandFailed(error.message) : error;
  });
  const signs = all.filter(sign => isAtLeast(sign, minSeverity));
  process.stdout.write(digestOf({ period, from, until, signs, base }, format));
}
