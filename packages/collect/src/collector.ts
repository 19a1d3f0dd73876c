import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { BlockList } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counts } from './counts.ts';
import { Intake } from './intake.ts';
import { Clients } from './networks.ts';
import type { AccountFilters, ReportReader } from './report.ts';
import { Doorway } from './server.ts';
import { Spool } from './spool.ts';
import { Tokens } from './tokens.ts';

export type { AccountFilters, ReadReport, ReportReader } from './report.ts';

const MINUTE = 60_000;

export interface CollectorSettings {
  /** The folder of the spool, and the file of tokens. */
  spool: string;
  tokens: string;
  reader: ReportReader;
  /** Addresses whose `X-Forwarded-For` counts. */
  proxies: BlockList;
  /** Requests of a client, and reports of an account, in a second. */
  clientRate: number;
  accountRate: number;
  /** Bytes that may wait in the spool. */
  mostSpooled: number;
  /** Milliseconds from one file of an account to its next, at most: so much is lost with the process. */
  every?: number;
  filtersOf?(account: string): AccountFilters | undefined;
  /** As pino has it. */
  log: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

export interface Collector {
  /** It does not listen yet. */
  server: Server;
  /** In Prometheus' text form. */
  metrics: { print(): Promise<string>; contentType: string };
  /** Answers what was begun, and writes all that was taken. */
  close(): Promise<void>;
}

/**
 * Takes reports of browsers, and writes them to a spool.
 * @throws {TokenFileError} where there are no tokens to read
 */
export async function startCollector(settings: CollectorSettings): Promise<Collector> {
  const { log, reader, every = 1000, filtersOf = () => undefined } = settings;
  const warn = tellingOnce(log);
  const tokens = new Tokens(settings.tokens);
  await tokens.refresh(true);
  const counts: Counts = new Counts(() => spool.waiting);
  const spool = new Spool(settings.spool, settings.mostSpooled, (account, tally, error) => {
    warn('the spool cannot be written', error);
    for (const [type, count] of tally)
      if (error) counts.drop(account, type, 'spool', count);
      else counts.accepted(account, count);
  });
  await spool.open();
  const state = join(settings.spool, '.usage.json');
  // Where it was not kept, or not whole, the usage of today begins anew.
  const restored = readFile(state, 'utf8').then(text => counts.restore(text));
  await restored.catch(() => {});
  const clients = new Clients(settings.proxies);
  const intake = new Intake({ reader, spool, counts, rate: rateOf(settings.accountRate), filtersOf });
  const doorway = new Doorway({ tokens, intake, counts, clients, rate: rateOf(settings.clientRate) });

  const writeUsage = async () => {
    const time = new Date().toISOString();
    counts.tellUsage((account, usage) =>
      spool.add(account, [Buffer.from(`${JSON.stringify({ id: spool.nextId(), time, usage })}\n`)], []),
    );
  };
  const save = async () => {
    await writeFile(`${state}.part`, counts.save(), { mode: 0o640 });
    await rename(`${state}.part`, state);
  };
  const tell = async () => {
    const [dropped, strangers, { unlisted }] = [counts.takeDropped(), doorway.strangers, clients];
    if (Object.keys(dropped).length + strangers + unlisted > 0)
      log.info({ dropped, unknownTokens: strangers, unlistedProxies: unlisted }, 'dropped within a minute');
    doorway.strangers = clients.unlisted = 0;
    await Promise.all([save(), spool.look()]);
  };
  const ending = new AbortController();
  const again = async (milliseconds: number, what: string, work: () => Promise<void>) => {
    while (!ending.signal.aborted) {
      warn(what, await work().then(undefined, (error: Error) => error));
      await sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  void again(every, 'the spool cannot be flushed', () => spool.flush());
  void again(every, 'the tokens stay as they were', () => tokens.refresh());
  void again(MINUTE, 'the state of the spool cannot be kept', tell);
  void again(60 * MINUTE, 'the usage cannot be written', writeUsage);
  return {
    server: doorway.server,
    metrics: { print: () => counts.registry.metrics(), contentType: counts.registry.contentType },
    async close() {
      await doorway.close();
      ending.abort();
      await writeUsage();
      await spool.flush();
      await save().catch((error: Error) => warn('the usage of today is not kept', error));
    },
  };
}

/** A rate whose burst is ten seconds' worth, and a full body at least. */
const rateOf = (perSecond: number) => ({ perSecond, burst: Math.max(100, 10 * perSecond) });

/** Warns once of work that goes on failing in the same way. */
function tellingOnce(log: CollectorSettings['log']) {
  const last = new Map<string, string>();
  return (what: string, error?: Error) => {
    if (error && last.get(what) !== error.message) log.warn({ err: error }, what);
    last.set(what, error?.message ?? '');
  };
}
