import type { DatabaseCounters } from '@sightline/pg-client';
import type { AccountId } from '../../sql/account-id.ts';
import { connect } from '../../sql/client.ts';
import { type History, PATIENCE, QUEUE_LIMIT, type SimulatedRequest, STATEMENT_TIMEOUT } from './history.ts';
import { SeededRandom } from './random.ts';
import { SimulatedServer } from './simulated-server.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The outcome of a statement. */
export interface Fate extends SimulatedRequest {
  /** When the server started to run it. */
  sentAt: number | undefined;
  settledAt: number | undefined;
  /** The reason of the failure. */
  failure: string | undefined;
  /** The number of waiting statements when this one was refused. */
  waiting: number;
}

/** The state of the client at a point in time. */
export interface Sample {
  at: number;
  counters: DatabaseCounters;
  /** The number of busy connections on the server. */
  busy: number;
}

export interface PlayResult {
  history: History;
  fates: Fate[];
  samples: Sample[];
  /** The highest number of connections. */
  connections: number;
  /** When the database became unavailable. */
  aways: number[];
}

/** Milliseconds between two samples. */
export const SAMPLING = 50;

/** In milliseconds: after this, no statement hangs, even if the history ends with a fault. */
const SETTLED = 1000;

/** Milliseconds within which all statements must have ended. */
export const REST = 8000;

/** Plays a complete history with the complete database client. */
export async function play(history: History): Promise<PlayResult> {
  // Collecting the stack is the most expensive part of an error.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await playWhole(history);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function playWhole(history: History): Promise<PlayResult> {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock, new SeededRandom(-history.seed), history.faults);
  const aways: number[] = [];
  const client = connect(
    {
      url: 'postgres://simulated',
      poolSize: history.poolSize,
      statementTimeout: STATEMENT_TIMEOUT,
      queueTimeout: PATIENCE,
      queueLimit: QUEUE_LIMIT,
      prepare: true,
      role: '',
      ...history.settings,
    },
    { away: () => aways.push(clock.now()), back() {} },
    { clock, remembered: 50, makeConnection: server.makeConnection },
  );
  const isGone = (request: number, key: string) =>
    server.fault('gone', key) !== undefined && request % 2 === 0;
  const fates = history.requests.map(requests => ({
    at: requests.at,
    key: requests.key,
    request: requests.request,
    takes: requests.takes,
    quick: requests.quick,
    sentAt: undefined,
    settledAt: undefined,
    failure: undefined,
    waiting: 0,
  })) as Fate[];
  const callers = new Map<number, { key: string; isGone(): boolean }>();
  for (const fate of fates) {
    const { key, request, quick } = fate;
    const caller = key ? (callers.get(request) ?? { key, isGone: () => isGone(request, key) }) : undefined;
    if (caller) callers.set(request, caller);
    clock.at(fate.at, () => {
      const parameters = [fate] as never;
      const answer = caller
        ? client.queryTenant(key as AccountId, 'statement', parameters, { caller: caller, quick })
        : client.rows('own', parameters, { quick, limit: 1000 });
      answer.then(
        () => {
          fate.settledAt = clock.now();
        },
        (error: Error) => {
          fate.settledAt = clock.now();
          fate.failure = error.message;
          fate.waiting = client.counters.waiting;
        },
      );
    });
  }
  for (const { kind, from, to } of history.faults)
    if (kind === 'standStill') clock.at(from, () => clock.standStill(to - clock.now()));
  const samples: Sample[] = [];
  const sample = () => samples.push({ at: clock.now(), counters: client.counters, busy: server.busy });
  for (let at = 25; at < history.endsAt; at += SAMPLING) clock.at(at, sample);
  clock.at(history.endsAt + SETTLED, sample);
  await clock.run(history.endsAt + REST);
  await client.end();
  return { history, fates, samples, connections: server.most, aways };
}
