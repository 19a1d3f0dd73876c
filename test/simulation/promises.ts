import { AFTER, type History, listPlaces, PATIENCE, QUEUE_LIMIT, STATEMENT_TIMEOUT } from './history.ts';
import type { Fate, PlayResult } from './play.ts';

/** In milliseconds: the client's tolerance for overdue statements, and the extra time that PostgreSQL gets. */
const LOOK = 200;
const SLACK = 150;

/** How long a statement can wait for others of its request, in milliseconds. */
const PATIENCE_WITH_ITSELF = 0.9 * STATEMENT_TIMEOUT;

/** The longest wait of a key in milliseconds if a few previously quick keys start to hang at the same time. */
const ONCE = 800;
const FEW = 3;

/**
 * The number of keys that can hang at the same time, and the milliseconds after which no others fail even if twice as
 * many hang.
 */
const MANY = 10;
const LEARNT = 6000;

/** The fraction of the pool's capacity below which no statement fails. Random loads can exceed it for a few seconds. */
const MOST_ASKED = 0.95;

/** The load is measured over this many milliseconds before and after a point in time. */
const ASKED_WITHIN = 1000;

/** The wait in milliseconds that most statements must not exceed after the recovery. */
const PROMPT = PATIENCE / 2;

/** How long a key waits for an overflow connection, in milliseconds. */
const WAITED = 100;

/** Milliseconds within which a statement that waits for no other is sent, including the time to connect. */
const AT_ONCE = 20;

/** Each promise returns a description of how it was broken, or undefined. */
export const PROMISES = {
  answered,
  reasons,
  recovery,
  isolation,
  letIn,
  share,
  conserving: checkConservation,
  bounds,
};

const stoodStill = ({ history }: PlayResult) =>
  history.faults.reduce((sum, { kind, from, to }) => sum + (kind === 'standStill' ? to - from : 0), 0);

const isFull = ({ faults }: History) => faults.some(({ kind }) => kind === 'full');

const describeFate = ({ key, at, sentAt, settledAt, failure }: Fate) =>
  `${key || 'own'} at ${at.toFixed(0)}, sent ${sentAt?.toFixed(0)}, settled ${settledAt?.toFixed(0)} ${failure ?? ''}`;

/** Each statement is settled within its time limit, or within twice that if it was retried. */
function answered(played: PlayResult): string | undefined {
  const most = 2 * (PATIENCE_WITH_ITSELF + STATEMENT_TIMEOUT + SLACK + LOOK) + 2 * stoodStill(played);
  const late = played.fates.find(({ at, settledAt }) => settledAt === undefined || settledAt - at > most);
  return late && describeFate(late);
}

/** Statements are refused only for valid reasons. */
function reasons(played: PlayResult): string | undefined {
  const { fates, history } = played;
  const ofKeys = groupByKey(fates);
  const isTrue = ({ failure, waiting, at, settledAt, key, sentAt }: Fate): boolean => {
    const now = settledAt!;
    const hasFault = history.faults.some(({ from, to }) => from <= now && now < to + AFTER + 600);
    switch (failure) {
      case 'too many statements are waiting':
        return waiting >= QUEUE_LIMIT / 2 - 1;
      case 'no connection became free in time':
        return now - at >= PATIENCE - 1;
      case 'statements of this key are slow, and no connection for slow statements became free in time':
        // Includes statements for which a connection is being opened.
        return (
          now - at >= PATIENCE - 1 &&
          ofKeys
            .get(key)!
            .some(({ at, settledAt }) => settledAt! > now - 1100 && Math.min(settledAt!, now) - at >= 250)
        );
      case 'the server with the data of this account is unavailable':
        // On a slow network, the answer that ends the statement is late.
        return history.faults.some(({ kind }) => kind === 'lostWorker') && now < history.healedAt + AFTER;
      case 'the client has disconnected':
        return history.faults.some(({ kind, from, to }) => kind === 'gone' && from <= now && at < to);
      default:
        // An error of the server or of its connection.
        return hasFault || (sentAt !== undefined && now - sentAt >= STATEMENT_TIMEOUT);
    }
  };
  const wrong = fates.find(fate => fate.failure !== undefined && !isTrue(fate));
  return wrong && describeFate(wrong);
}

/** From two seconds after the last fault, no statement within the capacity fails, and most answers are prompt. */
function recovery({ history, fates }: PlayResult): string | undefined {
  if (history.load > 1) return undefined;
  const since = history.kind === 'untroubled' ? 0 : history.healedAt + AFTER;
  const all = fates.filter(({ at }) => at >= since);
  const after = all.filter(({ key }) => key !== '');
  const late = after.filter(({ at, sentAt }) => !(sentAt! - at <= PROMPT));
  if (late.length > after.length / 2)
    return `${late.length} of ${after.length} late: ${describeFate(late[0]!)}`;
  const failed = all.filter(({ at, failure }) => failure !== undefined && loadAt(at, history) <= MOST_ASKED);
  return failed[0] && `${failed.length} of ${all.length}: ${describeFate(failed[0])}`;
}

/** The load in the second before and after a point in time, as a fraction of the pool's capacity. */
function loadAt(instant: number, { requests, poolSize, endsAt }: History): number {
  const [from, to] = [Math.max(0, instant - ASKED_WITHIN), Math.min(instant + ASKED_WITHIN, endsAt)];
  const within = requests.filter(({ at }) => at >= from && at < to);
  return within.reduce((sum, { takes }) => sum + takes, 0) / (listPlaces(poolSize) * (to - from));
}

/**
 * Keys without a fault never fail because of others, unless more keys start to hang at once than there can be overflow
 * connections. They wait briefly; because of a single key, or of keys that were never quick, they do not wait at all.
 */
function isolation({ history, fates }: PlayResult): string | undefined {
  if (history.kind !== 'keys' || isFull(history)) return undefined;
  const { keys, from, to } = history.faults[0]!;
  const areStrange = fates.every(({ key, at }) => !keys!.has(key) || at >= from);
  const since = keys!.size > MANY && !areStrange ? from + LEARNT : 0;
  const calm = fates.filter(({ key, at }) => (history.calm.has(key) || key === '') && at >= since);
  const failed = calm.find(({ failure }) => failure !== undefined);
  if (failed) return describeFate(failed);
  if (keys!.size > FEW && !areStrange) return undefined;
  const late = calm.find(({ at, sentAt }) => sentAt! - at > ONCE);
  if (late || (keys!.size > 1 && !areStrange) || history.calm.size > 1) return late && describeFate(late);
  const own = calm.filter(({ key }) => key !== '');
  const isBusy = (at: number) => own.some(other => other.at < at && other.settledAt! > at);
  const waiting = own.find(
    ({ at, sentAt }, n) => at < to && at !== own[n - 1]?.at && sentAt! - at > AT_ONCE && !isBusy(at),
  );
  return waiting && describeFate(waiting);
}

/** No statement fails because the server rejects overflow connections. */
function letIn({ history, fates }: PlayResult): string | undefined {
  if (history.kind !== 'keys' || !isFull(history)) return undefined;
  const lost = fates.find(({ failure }) => failure === 'lost');
  return lost && describeFate(lost);
}

/** A key within its share is served despite overloading keys, and the capacity is used. */
function share({ history, fates }: PlayResult): string | undefined {
  if (history.kind !== 'overload') return undefined;
  const light = fates.find(
    ({ key, failure }) => (history.calm.has(key) || key === '') && failure !== undefined,
  );
  if (light) return describeFate(light);
  const heavy = new Set(fates.map(({ key }) => key)).size - history.calm.size - 1;
  const [from, to] = [500, history.endsAt - 100];
  const done = fates.filter(({ failure, settledAt }) => !failure && settledAt! >= from && settledAt! < to);
  const used = done.reduce((sum, { takes }) => sum + takes, 0);
  // Every key leaves one connection to other active keys.
  const places = Math.max(1, listPlaces(history.poolSize) - (history.calm.size > 0 && heavy === 1 ? 1 : 0));
  const least = 0.9 * 0.8 * places * (to - from);
  return used < least ? `${used.toFixed(0)} of ${least.toFixed(0)} ms` : undefined;
}

/** No statement waits while a connection is available for it. */
function checkConservation({ history, samples }: PlayResult): string | undefined {
  if (history.kind !== 'overload' && history.kind !== 'untroubled') return undefined;
  // One connection is reserved for other recently active keys.
  const least =
    listPlaces(history.poolSize) - (history.calm.size === 1 && history.kind !== 'overload' ? 0 : 1);
  const isIdle = ({ at, busy, counters }: (typeof samples)[number]) =>
    at > 500 && counters.waiting > 0 && busy < Math.max(1, least);
  const idle = samples.find((sample, n) => isIdle(sample) && n > 0 && isIdle(samples[n - 1]!));
  return idle && `at ${idle.at}: ${idle.busy} at work, ${idle.counters.waiting} wait`;
}

/** Connections and queued statements stay within their limits. */
function bounds(played: PlayResult): string | undefined {
  const { history, samples, connections } = played;
  const { poolSize, kind } = history;
  const most = poolSize + Math.max(poolSize, 10);
  if (connections > most) return `${connections} connections`;
  const keys = new Set(history.requests.map(({ key }) => key)).size - 1;
  if (keys === 1 && connections > poolSize) return `${connections} connections for one key`;
  if ((kind === 'untroubled' || kind === 'overload') && connections > poolSize)
    return `${connections} connections`;
  // Overflow connections are only for keys that would have to wait long. A hanging key gets none.
  const hung = kind === 'keys' ? history.faults[0]!.keys! : new Set<string>();
  const isWaiting = ({ key, at, sentAt }: Fate) => !hung.has(key) && sentAt! - at >= WAITED;
  if (hung.size === 1 && connections > poolSize && !played.fates.some(isWaiting))
    return `${connections} connections though none waits`;
  const full = samples.find(({ counters }) => counters.waiting > QUEUE_LIMIT);
  if (full) return `${full.counters.waiting} wait`;
  const last = samples.at(-1)!;
  if (last.counters.connections > poolSize) return `${last.counters.connections} connections in the end`;
  return undefined;
}

function groupByKey(fates: readonly Fate[]): Map<string, Fate[]> {
  const groups = new Map<string, Fate[]>();
  for (const fate of fates) {
    const group = groups.get(fate.key);
    if (group) group.push(fate);
    else groups.set(fate.key, [fate]);
  }
  return groups;
}
