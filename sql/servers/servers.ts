import type { DatabaseCounters } from '@sightline/pg-client';
import type { DatabaseClient } from '../client.ts';

/** A server for reads. A request reads from only one, so that an account's version matches its data. */
export interface ReadServer {
  /** `primary`, or `replica-1` and so on, in the order of the settings. */
  readonly name: string;
  readonly database: DatabaseClient;
  /** Identifies the history of its data, because versions are only comparable within one. */
  readonly timeline: string;
}

/** A server's state at the moment. */
export interface ServerState {
  name: string;
  isInUse: boolean;
  /** True if it responded to the last check. */
  isUp: boolean;
  /** Upper bound of its lag in milliseconds; infinite if unknown. */
  lag: number;
  /** Round-trip time in milliseconds. */
  roundTrip: number;
}

/** The servers for reads. */
export interface Servers {
  /** True if there are several; a failed read is then repeated on another one. */
  readonly areSeveral: boolean;
  readonly states: ServerState[];
  /** Returns the server to read from now. */
  choose(): ReadServer;
  /** Returns another server after this one failed, or undefined if there is none. */
  replacementFor(lost: ReadServer): ReadServer | undefined;
}

/** For an installation with a single server. */
export function onlyServer(database: DatabaseClient): Servers {
  const server: ReadServer = { name: 'primary', database, timeline: '' };
  return { areSeveral: false, states: [], choose: () => server, replacementFor: () => undefined };
}

/** Sums the counters of several clients. */
export function sumOfCounters([first, ...others]: readonly DatabaseCounters[]): DatabaseCounters {
  return others.reduce(
    (sum, next) => ({
      poolSize: sum.poolSize + next.poolSize,
      running: sum.running + next.running,
      waiting: sum.waiting + next.waiting,
      ended: addTimes(sum.ended, next.ended),
      failed: sum.failed + next.failed,
      waited: addTimes(sum.waited, next.waited),
      refused: {
        full: sum.refused.full + next.refused.full,
        late: sum.refused.late + next.refused.late,
        slow: sum.refused.slow + next.refused.slow,
        lost: sum.refused.lost + next.refused.lost,
      },
      replacements: sum.replacements + next.replacements,
      connections: sum.connections + next.connections,
      attempts: sum.attempts + next.attempts,
      isAway: sum.isAway && next.isAway,
    }),
    first!,
  );
}

type Times = DatabaseCounters['ended'];

function addTimes(one: Times, other: Times): Times {
  return { count: one.count + other.count, milliseconds: one.milliseconds + other.milliseconds };
}
