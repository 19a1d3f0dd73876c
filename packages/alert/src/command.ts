import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, AskFailed, askWith } from '@sightline/ask';
import { untilEnded } from '@sightline/terminal/ending';
import { CommandFailed } from '@sightline/terminal/failure';
import { say } from '@sightline/terminal/output';
import { parseTime, parseUrl } from '@sightline/terminal/values';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Deliver, isPrivate, TRIED_FOR, toCommand, toStream, toWebhook } from './deliver.ts';
import { eventsOf, remembered, type Told, withEvent } from './events.ts';
import { FORMATS, type Format } from './messages.ts';
import { isAtLeast, SEVERITIES, type Severity, signsSince } from './signs.ts';
import { readTold, writeTold } from './state.ts';

interface Options {
  url: URL;
  state: string;
  webhook?: URL;
  exec?: string;
  stdout?: true;
  format: Format;
  secretFile?: string;
  allowHttp?: true;
  minSeverity: Severity;
  every?: number;
  retry: number;
  retryFor: number;
}

/**
 * Tells what is new among the signs of an account, once each.
 * @param key finds the key of the account
 */
export function alertCommand(key: () => string): Command {
  return new Command('alert')
    .description('tell what is new among the signs of an account, and what is over, once each')
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .requiredOption('--state <file>', 'keep in this file what was told')
    .option('--webhook <url>', 'post each to this address', parseReceiver)
    .option('--exec <command>', 'start this command for each, with JSON on its standard input')
    .option('--stdout', 'write each as a line of JSON to standard output')
    .addOption(
      new Option('--format <form>', 'the form for --webhook').choices(Object.keys(FORMATS)).default('json'),
    )
    .option('--secret-file <file>', 'sign what is posted with the secret in this file')
    .option('--allow-http', 'post without TLS to other machines, too')
    .addOption(
      new Option('--min-severity <severity>', 'the least urgent that is told')
        .choices(SEVERITIES)
        .default('notice'),
    )
    .option('--every <time>', 'look again so often, until SIGTERM', parseTime)
    .option(
      '--retry <time>',
      'how long to wait before the second try; later ones wait longer',
      parseTime,
      1000,
    )
    .option('--retry-for <time>', 'how long a delivery is tried', parseTime, TRIED_FOR)
    .addHelpText(
      'after',
      '\nSIGHTLINE_KEY is the key of the account. Each is told at least once: "id" tells repeats.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  sightline alert --url https://reports.example.com --state told.json \\\n' +
        '    --webhook https://hooks.example.com/1 --secret-file secret --every 5m',
    )
    .action(async (options: Options, command: Command) => {
      const problem = problemOf(options);
      if (problem) command.error(`error: ${problem}`);
      await runAlert(key(), options);
    });
}

function problemOf({ webhook, exec, stdout, allowHttp, format, secretFile }: Options): string | undefined {
  if ([webhook, exec, stdout].filter(Boolean).length !== 1)
    return 'give one of --webhook, --exec and --stdout';
  if (!webhook && (format !== 'json' || secretFile)) return '--format and --secret-file go with --webhook';
  if (webhook && !allowHttp && !isPrivate(webhook))
    return '--webhook takes https: alone, or this machine, unless --allow-http is given';
  return undefined;
}

/** @throws {CommandFailed} where something could not be delivered, and it is not tried again */
async function runAlert(key: string, options: Options): Promise<void> {
  const base = options.url.href.replace(/\/$/, '');
  const deliver = await deliverOf(options);
  await untilEnded(async signal => {
    const work: Work = { ask: askWith(base, `Bearer ${key}`), base, deliver, signal };
    for (;;) {
      const problem = await tellNews(work, options);
      if (problem && options.every === undefined) throw new CommandFailed(problem);
      if (problem) say(problem);
      if (options.every === undefined || signal.aborted) return;
      await pause(options.every, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  });
}

async function deliverOf({ webhook, exec, format, secretFile, retry, retryFor }: Options): Promise<Deliver> {
  if (exec !== undefined) return toCommand(exec, retry, retryFor);
  if (!webhook) return toStream(process.stdout);
  return toWebhook({
    url: webhook,
    format,
    secret: secretFile && (await secretOf(secretFile)),
    retry,
    triedFor: retryFor,
  });
}

async function secretOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
  if (text.trim() === '') throw new CommandFailed(`${path} is empty: it has to hold a secret`);
  return text.trim();
}

interface Work {
  ask: Ask;
  /** The address of the service, without a slash at its end. */
  base: string;
  deliver: Deliver;
  signal: AbortSignal;
  /** The delivered signs, where the file could not be written: delivery goes on all the same, and repeats nothing. */
  unkept?: Told;
}

/** Delivers what is new, and keeps each once it is delivered. Answers with what went wrong. */
async function tellNews(work: Work, options: Options): Promise<string | undefined> {
  const { ask, base, deliver, signal } = work;
  let told: Told = work.unkept ?? (await readTold(options.state));
  let unwritten = work.unkept && (await keep(work, options.state, told));
  try {
    const all = await signsSince(ask);
    const now = ask.now();
    told = remembered(told, now);
    const signs = all.filter(sign => isAtLeast(sign, options.minSeverity));
    for (const event of eventsOf(told, signs, now)) {
      if (signal.aborted) return undefined;
      const problem = await deliver(event, base + event.sign.link, signal);
      if (problem) return `${event.id} was not delivered: ${problem}`;
      told = withEvent(told, event, now);
      unwritten = await keep(work, options.state, told);
    }
    return unwritten;
  } catch (error) {
    if (error instanceof AskFailed) return error.message;
    throw error;
  }
}

/** Answers with why it could not be written: a full disk must not silence what comes behind. */
async function keep(work: Work, path: string, told: Told): Promise<string | undefined> {
  try {
    await writeTold(path, told);
    delete work.unkept;
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    work.unkept = told;
    return error.message;
  }
}

function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new InvalidArgumentError('Give it as https://hooks.example.com/path, without a password.');
  return url;
}
