import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { BlockList } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CollectorCounts } from './counts.ts';
import { Forwarder, type ForwardSettings } from './forward.ts';
import { Intake } from './intake.ts';
import { Clients } from './networks.ts';
import { type PlanQuota, Quotas } from './quotas.ts';
import type { AccountFilters, ReportReader } from './report.ts';
import { CollectorServer } from './server.ts';
import { Spool } from './spool.ts';
import { Tokens } from './tokens.ts';

export type { PlanQuota } from './quotas.ts';
export type { AccountFilters, ReadReport, ReportReader } from './report.ts';

const MINUTE = 60_000;

export interface CollectorSettings {
  /** Paths of the spool folder and the token file. */
  spool: string;
  tokens: string;
  reader: ReportReader;
  /** Addresses whose `X-Forwarded-For` is trusted. */
  proxies: BlockList;
  /** Maximum number of requests per second and client, and of reports per second and account. */
  clientRate: number;
  accountRate: number;
  /** Maximum number of bytes that wait in the spool. */
  mostSpooled: number;
  /** Bytes that an account can store in a day. */
  mostDaily?: number;
  /** Maximum interval in milliseconds between two files of an account; a crash loses at most this much. */
  every?: number;
  listFilters?(account: string): AccountFilters | undefined;
  /** Returns the quota of an account's plan: the same object until the service returns a newer one. */
  findQuota?(account: string): PlanQuota | undefined;
  /** Requests filters and quotas from the service, at the start and then every `askEvery` milliseconds. */
  ask?(): Promise<void>;
  askEvery?: number;
  /** Settings for forwarding accepted bodies to another collector. */
  forward?: ForwardSettings | undefined;
  /** A logger like pino. */
  log: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

export interface Collector {
  /** A server that is not listening yet. */
  server: Server;
  /** The metrics in Prometheus' text format. */
  metrics: { print(): Promise<string>; contentType: string };
  /** Finishes requests in progress, and writes all accepted reports. */
  close(): Promise<void>;
}

/**
 * Accepts browser reports and writes them to a spool.
 * @throws {TokenFileError} if the tokens cannot be read
 */
export async function startCollector(settings: CollectorSettings): Promise<Collector> {
  const { log, reader, every = 1000, listFilters: filtersOf = () => undefined } = settings;
  const warn = logOnce(log);
  const tokens = new Tokens(settings.tokens);
  await tokens.refresh(true);
  const counts: CollectorCounts = new CollectorCounts(
    () => spool.waiting,
    () => forwarder?.waiting ?? 0,
  );
  const isShared = () => tokens.accounts > 1;
  const spool = new Spool(settings.spool, settings.mostSpooled, isShared, (account, tally, error) => {
    warn('the spool cannot be written', error);
    for (const [type, count] of tally)
      if (error) counts.drop(account, type, 'spool', count);
      else counts.accepted(account, count);
  });
  await spool.open();
  const quotas = new Quotas(settings.mostDaily ?? Number.POSITIVE_INFINITY, account =>
    settings.findQuota?.(account),
  );
  const forwarder =
    settings.forward &&
    new Forwarder(settings.forward, isShared, (account, outcome) => counts.forwarded(account, outcome));
  const state = join(settings.spool, '.usage.json');
  // Without a complete state file, today's usage starts at zero.
  const restored = readFile(state, 'utf8').then(text => {
    const { usage, stored, read } = JSON.parse(text);
    counts.restore(usage);
    quotas.restore(stored);
    reader.restore(read);
  });
  await restored.catch(() => {});
  const clients = new Clients(settings.proxies);
  const intake = new Intake({
    reader,
    spool,
    counts,
    quotas,
    forwarder,
    rate: toRate(settings.accountRate),
    listFilters: filtersOf,
  });
  const isWritable = async () => {
    const problem = await spool.findProblem();
    warn('the spool is not writable', problem);
    return problem === undefined;
  };
  const rate = toRate(settings.clientRate);
  const endpoint = new CollectorServer({ tokens, intake, counts, clients, isWritable, rate });

  const writeUsage = async () => {
    const time = new Date().toISOString();
    counts.writeUsage((account, usage) =>
      spool.add(account, [Buffer.from(`${JSON.stringify({ id: spool.nextId(), time, usage })}\n`)]),
    );
  };
  const save = async () => {
    const content = JSON.stringify({ usage: counts.save(), stored: quotas.save(), read: reader.save() });
    await writeFile(`${state}.part`, content, { mode: 0o640 });
    await rename(`${state}.part`, state);
  };
  const writeState = async () => {
    const [dropped, strangers, { unlisted }] = [counts.takeDropped(), endpoint.unknownTokens, clients];
    if (Object.keys(dropped).length + strangers + unlisted > 0)
      log.info({ dropped, unknownTokens: strangers, unlistedProxies: unlisted }, 'dropped within a minute');
    const notForwarded = counts.takeNotForwarded();
    if (Object.keys(notForwarded).length > 0) log.warn(notForwarded, 'rejected by the other collector');
    endpoint.unknownTokens = clients.unlisted = 0;
    await save();
  };
  const ask = async () => {
    const taken = quotas.countTaken();
    // The service's next answers include the reports that have left the spool.
    const waiting = await spool.look().finally(() => settings.ask?.());
    quotas.rebase(taken, waiting);
  };
  await ask();
  const ending = new AbortController();
  const repeatEvery = async (milliseconds: number, what: string, work: () => Promise<void>) => {
    while (!ending.signal.aborted) {
      warn(what, await work().then(undefined, (error: Error) => error));
      await sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const writing = [
    repeatEvery(every, 'the spool cannot be flushed', () => spool.flush()),
    repeatEvery(MINUTE, 'the state of the spool cannot be saved', writeState),
    repeatEvery(60 * MINUTE, 'the usage cannot be written', writeUsage),
  ];
  void repeatEvery(every, 'the previous tokens stay valid', () => tokens.refresh());
  void repeatEvery(settings.askEvery ?? MINUTE, 'filters and quotas cannot be requested', ask);
  return {
    server: endpoint.server,
    metrics: { print: () => counts.registry.metrics(), contentType: counts.registry.contentType },
    async close() {
      await endpoint.close();
      ending.abort();
      // Otherwise, a state from before the last requests could replace the final one.
      await Promise.all(writing);
      await writeUsage();
      await spool.flush();
      await forwarder?.close();
      await save().catch((error: Error) => warn('the usage of today cannot be saved', error));
    },
  };
}

/** A rate with a burst of ten seconds, which allows at least one full body. */
const toRate = (perSecond: number) => ({ perSecond, burst: Math.max(100, 10 * perSecond) });

/** Logs a repeated failure only once. */
function logOnce(log: CollectorSettings['log']) {
  const last = new Map<string, string>();
  return (what: string, error?: Error) => {
    if (error && last.get(what) !== error.message) log.warn({ err: error }, what);
    last.set(what, error?.message ?? '');
  };
}
