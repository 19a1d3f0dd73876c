import type { DatabaseCounters } from '@sightline/postgres';
import type { DatabaseClient } from '../client.ts';

/** A server that reading goes to. A request reads from one alone, so that an account's version fits its data. */
export interface Server {
  /** `primary`, or `replica-1` and so on, in the order of the settings. */
  readonly name: string;
  readonly database: DatabaseClient;
  /** The history of its data, since a version means something else in another one. */
  readonly timeline: string;
}

/** A server's state at the moment. */
export interface ServerState {
  name: string;
  isInUse: boolean;
  /** True if it answered when it was asked last. */
  isUp: boolean;
  /** Milliseconds by which it may be behind at most; infinite where that is not known. */
  lag: number;
  /** Milliseconds there and back. */
  roundTrip: number;
}

/** The servers that reading goes to. */
export interface Servers {
  /** True if there are several: one is asked again then what another could not answer. */
  readonly areSeveral: boolean;
  readonly states: ServerState[];
  /** The one to read from now. */
  choose(): Server;
  /** Another one, after that one could not answer; undefined where there is none. */
  insteadOf(lost: Server): Server | undefined;
}

/** For an installation with a single server. */
export function onlyServer(database: DatabaseClient): Servers {
  const server: Server = { name: 'primary', database, timeline: '' };
  return { areSeveral: false, states: [], choose: () => server, insteadOf: () => undefined };
}

/** As if all of them were one. */
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
