import { isDate, MS_PER_DAY } from '@sightline/reports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EvidenceDocument } from '../documents.generated.ts';
import { connect } from '../service/service.ts';
import { openTarget } from '../terminal/target.ts';
import { collectValues, parseUrl } from '../terminal/values.ts';
import { toEvidence } from './evidence.ts';
import { toHtml } from './html.ts';

interface Options {
  url: URL;
  site: string;
  path: string[];
  from: string;
  to: string;
  format: 'html' | 'json';
  output: string;
}

/**
 * Creates the command that prints what browsers reported about a site's scripts, as evidence for a review.
 * @param key returns the account's key
 */
export function evidenceCommand(key: () => string): Command {
  return new Command('evidence')
    .description(
      'print the inventory of the scripts of a site, as browsers reported them, with who approved each',
    )
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .requiredOption('--site <host>', 'host name of the site')
    .option(
      '--path <path>',
      'only pages with this path, such as /checkout*; may be repeated',
      collectValues,
      [],
    )
    .requiredOption('--from <day>', 'the first day (UTC), YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'the last day', parseDay)
    .addOption(new Option('--format <format>', 'the form').choices(['html', 'json']).default('html'))
    .option('--output <file>', 'write to this file, - for standard output', '-')
    .addHelpText('after', '\nSIGHTLINE_KEY is the key of the account.')
    .addHelpText(
      'after',
      '\nExample:\n  sightline evidence --url https://reports.example.com --site shop.example.com --path "/checkout*" ' +
        '--from 2026-10-01 --to 2026-12-31 --output evidence.html',
    )
    .action((options: Options, command: Command) => {
      if (options.from > options.to) command.error('error: --from is after --to');
      return run(key(), options);
    });
}

async function run(
  key: string,
  { url, site, path: paths, from, to, format, output }: Options,
): Promise<void> {
  const scope = { site, paths, from: `${from}T00:00:00Z`, to: nextDay(to) };
  const service = connect(url.href.replace(/\/$/, ''), key);
  const variables = { ...scope, hosts: [site], paths: paths.length > 0 ? paths : null };
  const answer = await service.ask(EvidenceDocument, variables);
  const evidence = toEvidence(scope, answer, service.now());
  const text = format === 'html' ? toHtml(evidence) : `${JSON.stringify(evidence, null, 2)}\n`;
  const target = await openTarget(output, false);
  await target.write(Buffer.from(text));
  await target.end();
}

const nextDay = (day: string) => new Date(Date.parse(day) + MS_PER_DAY).toISOString();

function parseDay(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError('must be a day, such as 2026-10-01.');
  return text;
}
