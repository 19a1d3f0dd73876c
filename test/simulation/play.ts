import type { DatabaseCounters } from '@sightline/postgres';
import type { AccountId } from '../../sql/account-id.ts';
import { connect } from '../../sql/client.ts';
import { type Asked, type History, PATIENCE, QUEUE_LIMIT, STATEMENT_TIMEOUT } from './history.ts';
import { Random } from './random.ts';
import { SimulatedServer } from './simulated-server.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The outcome of a statement. */
export interface Fate extends Asked {
  /** When the server began with it. */
  sentAt: number | undefined;
  settledAt: number | undefined;
  /** Why it failed, where it did. */
  failure: string | undefined;
  /** Statements that waited when it was refused. */
  waiting: number;
}

/** Its state at an instant. */
export interface Sample {
  at: number;
  counters: DatabaseCounters;
  /** Connections with something to do, as the server sees them. */
  busy: number;
}

export interface Played {
  history: History;
  fates: Fate[];
  samples: Sample[];
  /** Connections at once at most. */
  connections: number;
  /** When the database went away. */
  aways: number[];
}

/** Milliseconds between two samples. */
export const SAMPLING = 50;

/** Milliseconds after which nothing hangs any more, though it went into a silence at its very end. */
const SETTLED = 1000;

/** Milliseconds in which all has to end that was asked for. */
export const REST = 8000;

/** A history from its beginning to its end, with the whole client of the database. */
export async function play(history: History): Promise<Played> {
  // The stack of an error costs more than all else about it.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await playWhole(history);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function playWhole(history: History): Promise<Played> {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock, new Random(-history.seed), history.troubles);
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
    },
    { away: () => aways.push(clock.now()), back() {} },
    { clock, remembered: 50, makeConnection: server.makeConnection },
  );
  const gone = (request: number, key: string) =>
    server.trouble('gone', key) !== undefined && request % 2 === 0;
  const fates = history.asked.map(asked => ({
    at: asked.at,
    key: asked.key,
    request: asked.request,
    takes: asked.takes,
    quick: asked.quick,
    sentAt: undefined,
    settledAt: undefined,
    failure: undefined,
    waiting: 0,
  })) as Fate[];
  const askers = new Map<number, { key: string; isGone(): boolean }>();
  for (const fate of fates) {
    const { key, request, quick } = fate;
    const asker = key ? (askers.get(request) ?? { key, isGone: () => gone(request, key) }) : undefined;
    if (asker) askers.set(request, asker);
    clock.at(fate.at, () => {
      const parameters = [fate] as never;
      const answer = asker
        ? client.owned(key as AccountId, 'statement', parameters, { asker, quick })
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
  for (const { kind, from, to } of history.troubles)
    if (kind === 'standStill') clock.at(from, () => clock.standStill(to - clock.now()));
  const samples: Sample[] = [];
  const sample = () => samples.push({ at: clock.now(), counters: client.counters, busy: server.busy });
  for (let at = 25; at < history.endsAt; at += SAMPLING) clock.at(at, sample);
  clock.at(history.endsAt + SETTLED, sample);
  await clock.run(history.endsAt + REST);
  await client.end();
  return { history, fates, samples, connections: server.most, aways };
}
