import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SightlineError } from '@sightline/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { connect, describeServiceError, type ServiceConnection } from '../service/service.ts';
import { untilEnded } from '../terminal/ending.ts';
import { CommandFailed } from '../terminal/failure.ts';
import { say } from '../terminal/output.ts';
import { parseTime, parseUrl } from '../terminal/values.ts';
import { type Deliver, isPrivate, toCommand, toStream, toWebhook } from './deliver.ts';
import { type Event, toEvents, withEvent, withoutExpired } from './events.ts';
import { type Insight, insightsSince, isAtLeast, SEVERITIES, type Severity } from './insights.ts';
import { toLink } from './link.ts';
import { FORMATS, type MessageFormat } from './messages.ts';
import { deliverEach, isDue, pickOnly, RETRIED_FOR, withRefused } from './queue.ts';
import { readState, type State, writeState } from './state.ts';

interface Options {
  url: URL;
  state: string;
  webhook?: URL;
  exec?: string;
  stdout?: true;
  format: MessageFormat;
  secretFile?: string;
  allowHttp?: true;
  minSeverity: Severity;
  every?: number;
  retry: number;
  retryFor: number;
  test?: true;
}

/**
 * Creates the command that delivers each new insight of an account once.
 * @param key returns the account's key
 */
export function alertCommand(key: () => string): Command {
  return new Command('alert')
    .description('report insights of an account when they appear and when they end')
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .requiredOption('--state <file>', 'the file that records which insights were reported')
    .option('--webhook <url>', 'post each insight to this URL', parseReceiver)
    .option('--exec <command>', 'run this command for each insight, with JSON on its standard input')
    .option('--stdout', 'write each insight to standard output as a line of JSON')
    .addOption(
      new Option('--format <form>', 'the form for --webhook').choices(Object.keys(FORMATS)).default('json'),
    )
    .option('--secret-file <file>', 'sign webhook requests with the secret in this file')
    .option('--allow-http', 'allow webhooks on other machines without TLS')
    .addOption(
      new Option('--min-severity <severity>', 'the lowest severity to report')
        .choices(SEVERITIES)
        .default('notice'),
    )
    .option('--every <time>', 'check again at this interval, until SIGTERM', parseTime)
    .addOption(
      new Option('--retry <time>', 'how long to wait before the second try; later ones wait longer')
        .argParser(parseTime)
        .default(1000, '1s'),
    )
    .addOption(
      new Option('--retry-for <time>', 'how long to retry a delivery')
        .argParser(parseTime)
        .default(RETRIED_FOR, '1h'),
    )
    .option('--test', 'deliver one example and exit; --state is neither read nor written')
    .addHelpText(
      'after',
      '\nSIGHTLINE_KEY is the key of the account. Delivery is at least once: use "id" to detect repeats.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  sightline alert --url https://reports.example.com --state alerts.json \\\n' +
        '    --webhook https://hooks.example.com/1 --secret-file secret --every 5m',
    )
    .action(async (options: Options, command: Command) => {
      const problem = findProblem(options);
      if (problem) command.error(`error: ${problem}`);
      await runAlert(key(), options);
    });
}

function findProblem({ webhook, exec, stdout, allowHttp, format, secretFile }: Options): string | undefined {
  if ([webhook, exec, stdout].filter(Boolean).length !== 1)
    return 'give one of --webhook, --exec and --stdout';
  if (!webhook && (format !== 'json' || secretFile)) return '--format and --secret-file require --webhook';
  if (webhook && !allowHttp && !isPrivate(webhook))
    return '--webhook must be an https: URL or an address on this machine, unless --allow-http is given';
  return undefined;
}

/**
 * Runs the command.
 * @throws {CommandFailed} if an insight could not be delivered and will not be retried
 */
async function runAlert(key: string, options: Options): Promise<void> {
  const base = options.url.href.replace(/\/$/, '');
  if (options.test) return deliverExample(await createDelivery(options), base);
  const deliver = await createDelivery(options);
  await untilEnded(async signal => {
    const work: Work = { service: connect(base, key), base, deliver, signal };
    for (;;) {
      const problem = await sendNews(work, options);
      if (problem && options.every === undefined) throw new CommandFailed(problem);
      if (problem) say(problem);
      if (options.every === undefined || signal.aborted) return;
      await pause(options.every, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  });
}

/**
 * Sends a test insight, marked as such, to the receiver.
 * @throws {CommandFailed}
 */
async function deliverExample(deliver: Deliver, base: string): Promise<void> {
  const now = new Date().toISOString();
  const insight: Insight = {
    id: `test-${now}`,
    kind: 'test',
    severity: 'notice',
    state: 'new',
    title: 'A test of sightline alert',
    detail: 'Nothing happened. This is what an alert looks like.',
    subject: '',
    firstSeen: now,
    lastSeen: now,
    count: 0,
    baseline: 0,
    link: '/app',
    query: null,
    verdict: null,
  };
  const event = { id: `${insight.id}:new`, event: 'new', insight } as const;
  const failed = await deliver(event, toLink(base, insight), new AbortController().signal);
  if (failed) throw new CommandFailed(`The test was not delivered: ${failed.problem}`);
  say('The test was delivered.');
}

async function createDelivery({ webhook, exec, format, secretFile }: Options): Promise<Deliver> {
  if (exec !== undefined) return toCommand(exec);
  if (!webhook) return toStream(process.stdout);
  return toWebhook({ url: webhook, format, secret: secretFile && (await readSecret(secretFile)) });
}

async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
  if (text.trim() === '') throw new CommandFailed(`${path} is empty: it must contain a secret`);
  return text.trim();
}

interface Work {
  service: ServiceConnection;
  /** The URL of the service, without a trailing slash. */
  base: string;
  deliver: Deliver;
  signal: AbortSignal;
  /** The state, if it could not be saved. It prevents repeated deliveries until the process ends. */
  unsaved?: State;
}

/** Delivers new insights, and records each one after its delivery. Returns the problems, one per line. */
async function sendNews(work: Work, options: Options): Promise<string | undefined> {
  let state = work.unsaved ?? (await readState(options.state));
  let unwritten = work.unsaved && (await save(work, options.state, state));
  try {
    const all = await insightsSince(work.service);
    const now = work.service.now();
    const reported = withoutExpired(state.reported, now);
    const insights = all.filter(insight => isAtLeast(insight, options.minSeverity));
    const events = toEvents(reported, insights);
    state = { reported: reported, setAside: pickOnly(state.setAside, events) };
    const due = events.filter(event => isDue(state.setAside, event, now));
    const problems: string[] = [];
    const attempt = (event: Event) => work.deliver(event, toLink(work.base, event.insight), work.signal);
    // Retries end before the next run, so that a failing event does not delay it.
    const retries = { retry: options.retry, retryFor: Math.min(options.retryFor, options.every ?? Infinity) };
    await deliverEach(due, retries, work.signal, attempt, async (event, problem) => {
      if (problem) problems.push(`${event.id} was not delivered, and will be retried: ${problem}`);
      state = problem
        ? { ...state, setAside: withRefused(state.setAside, event, now) }
        : { reported: withEvent(state.reported, event, now), setAside: without(state.setAside, event.id) };
      unwritten = await save(work, options.state, state);
    });
    const waiting = events.length - due.length;
    if (waiting > 0) problems.push(`${waiting} refused before are waiting for a retry.`);
    return [...problems, ...(unwritten ? [unwritten] : [])].join('\n') || undefined;
  } catch (error) {
    if (error instanceof SightlineError) return describeServiceError(error);
    throw error;
  }
}

const without = <Value>(record: Readonly<Record<string, Value>>, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([own]) => own !== name));

/** Saves the state. Returns the reason if that failed, because a full disk must not stop further deliveries. */
async function save(work: Work, path: string, state: State): Promise<string | undefined> {
  try {
    await writeState(path, state);
    delete work.unsaved;
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    work.unsaved = state;
    return error.message;
  }
}

function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new InvalidArgumentError('Give it as https://hooks.example.com/path, without a password.');
  return url;
}
