import { AFTER, type History, PATIENCE, placesOf, QUEUE_LIMIT, STATEMENT_TIMEOUT } from './history.ts';
import type { Fate, Played } from './play.ts';

/** Milliseconds by which the client looks late at what is late, and by which it gives PostgreSQL more. */
const LOOK = 200;
const SLACK = 150;

/** Milliseconds that a statement may wait for those of its own request. */
const PATIENCE_WITH_ITSELF = 0.9 * STATEMENT_TIMEOUT;

/** Milliseconds that a key waits at most where a few others, who were quick, begin to hang all at once. */
const ONCE = 800;
const FEW = 3;

/** Keys that may hang all at once, and milliseconds after which others fail no more though these are twice as many. */
const MANY = 10;
const LEARNT = 6000;

/** The part of what the pool can do up to which nothing fails. Chance takes some seconds of a history beyond it. */
const MOST_ASKED = 0.95;

/** Milliseconds before an instant, and after it, within which that part is taken. */
const ASKED_WITHIN = 1000;

/** Milliseconds that most wait at most, once all is well again. */
const PROMPT = PATIENCE / 2;

/** Milliseconds that a key waits before there is a connection beyond the pool for it. */
const WAITED = 100;

/** Milliseconds in which a statement is sent that waits for no other, with the time to make a connection. */
const AT_ONCE = 20;

/** Each says of a history what it broke, or nothing. */
export const PROMISES = { answered, reasons, recovery, isolation, letIn, share, conserving, bounds };

const stoodStill = ({ history }: Played) =>
  history.troubles.reduce((sum, { kind, from, to }) => sum + (kind === 'standStill' ? to - from : 0), 0);

const isFull = ({ troubles }: History) => troubles.some(({ kind }) => kind === 'full');

const tell = ({ key, at, sentAt, settledAt, failure }: Fate) =>
  `${key || 'own'} at ${at.toFixed(0)}, sent ${sentAt?.toFixed(0)}, settled ${settledAt?.toFixed(0)} ${failure ?? ''}`;

/** Each statement is settled, within the times that it may wait and be at work; sent once more, twice that. */
function answered(played: Played): string | undefined {
  const most = 2 * (PATIENCE_WITH_ITSELF + STATEMENT_TIMEOUT + SLACK + LOOK) + 2 * stoodStill(played);
  const late = played.fates.find(({ at, settledAt }) => settledAt === undefined || settledAt - at > most);
  return late && tell(late);
}

/** Refused is only what there was a reason for, then. */
function reasons(played: Played): string | undefined {
  const { fates, history } = played;
  const ofKeys = groupByKey(fates);
  const isTrue = ({ failure, waiting, at, settledAt, key, sentAt }: Fate): boolean => {
    const now = settledAt!;
    const hasTrouble = history.troubles.some(({ from, to }) => from <= now && now < to + AFTER + 600);
    switch (failure) {
      case 'too many statements are waiting':
        return waiting >= QUEUE_LIMIT / 2 - 1;
      case 'no connection became free in time':
        return now - at >= PATIENCE - 1;
      case 'statements of this key are slow, and such had no connection free in time':
        // Also one for which a connection is being made.
        return (
          now - at >= PATIENCE - 1 &&
          ofKeys
            .get(key)!
            .some(({ at, settledAt }) => settledAt! > now - 1100 && Math.min(settledAt!, now) - at >= 250)
        );
      case 'the server that has the data of this owner is away':
        // A late network makes the answer late that ends it.
        return history.troubles.some(({ kind }) => kind === 'lostWorker') && now < history.healedAt + AFTER;
      case 'the client has gone away':
        return history.troubles.some(({ kind, from, to }) => kind === 'gone' && from <= now && at < to);
      default:
        // An error that it was answered with, or of its connection.
        return hasTrouble || (sentAt !== undefined && now - sentAt >= STATEMENT_TIMEOUT);
    }
  };
  const wrong = fates.find(fate => fate.failure !== undefined && !isTrue(fate));
  return wrong && tell(wrong);
}

/** Two seconds after the last trouble nothing fails that asks for no more than there is, and most is prompt. */
function recovery({ history, fates }: Played): string | undefined {
  if (history.load > 1) return undefined;
  const since = history.kind === 'untroubled' ? 0 : history.healedAt + AFTER;
  const all = fates.filter(({ at }) => at >= since);
  const after = all.filter(({ key }) => key !== '');
  const late = after.filter(({ at, sentAt }) => !(sentAt! - at <= PROMPT));
  if (late.length > after.length / 2) return `${late.length} of ${after.length} late: ${tell(late[0]!)}`;
  const failed = all.filter(({ at, failure }) => failure !== undefined && loadAt(at, history) <= MOST_ASKED);
  return failed[0] && `${failed.length} of ${all.length}: ${tell(failed[0])}`;
}

/** The part of what the pool can do that is asked for in the second before an instant and the one after it. */
function loadAt(instant: number, { asked, poolSize, endsAt }: History): number {
  const [from, to] = [Math.max(0, instant - ASKED_WITHIN), Math.min(instant + ASKED_WITHIN, endsAt)];
  const within = asked.filter(({ at }) => at >= from && at < to);
  return within.reduce((sum, { takes }) => sum + takes, 0) / (placesOf(poolSize) * (to - from));
}

/**
 * Keys without trouble never fail for those that have it, unless more begin to hang at once than there may be
 * connections beyond the pool. They wait a moment at most, and not at all for a single one, or for such as were never
 * quick.
 */
function isolation({ history, fates }: Played): string | undefined {
  if (history.kind !== 'keys' || isFull(history)) return undefined;
  const { keys, from, to } = history.troubles[0]!;
  const areStrange = fates.every(({ key, at }) => !keys!.has(key) || at >= from);
  const since = keys!.size > MANY && !areStrange ? from + LEARNT : 0;
  const calm = fates.filter(({ key, at }) => (history.calm.has(key) || key === '') && at >= since);
  const failed = calm.find(({ failure }) => failure !== undefined);
  if (failed) return tell(failed);
  if (keys!.size > FEW && !areStrange) return undefined;
  const late = calm.find(({ at, sentAt }) => sentAt! - at > ONCE);
  if (late || (keys!.size > 1 && !areStrange) || history.calm.size > 1) return late && tell(late);
  const own = calm.filter(({ key }) => key !== '');
  const isBusy = (at: number) => own.some(other => other.at < at && other.settledAt! > at);
  const waiting = own.find(
    ({ at, sentAt }, n) => at < to && at !== own[n - 1]?.at && sentAt! - at > AT_ONCE && !isBusy(at),
  );
  return waiting && tell(waiting);
}

/** No statement fails because the server refuses connections beyond the pool. */
function letIn({ history, fates }: Played): string | undefined {
  if (history.kind !== 'keys' || !isFull(history)) return undefined;
  const lost = fates.find(({ failure }) => failure === 'lost');
  return lost && tell(lost);
}

/** Beside keys that ask for too much, one that asks for less than its share is served; what can be done is done. */
function share({ history, fates }: Played): string | undefined {
  if (history.kind !== 'overload') return undefined;
  const light = fates.find(
    ({ key, failure }) => (history.calm.has(key) || key === '') && failure !== undefined,
  );
  if (light) return tell(light);
  const heavy = new Set(fates.map(({ key }) => key)).size - history.calm.size - 1;
  const [from, to] = [500, history.endsAt - 100];
  const done = fates.filter(({ failure, settledAt }) => !failure && settledAt! >= from && settledAt! < to);
  const used = done.reduce((sum, { takes }) => sum + takes, 0);
  // A key leaves one to others that ask.
  const places = Math.max(1, placesOf(history.poolSize) - (history.calm.size > 0 && heavy === 1 ? 1 : 0));
  const least = 0.9 * 0.8 * places * (to - from);
  return used < least ? `${used.toFixed(0)} of ${least.toFixed(0)} ms` : undefined;
}

/** Nothing waits beside a connection that it may have. */
function conserving({ history, samples }: Played): string | undefined {
  if (history.kind !== 'overload' && history.kind !== 'untroubled') return undefined;
  // One is left to others who ask of late.
  const least = placesOf(history.poolSize) - (history.calm.size === 1 && history.kind !== 'overload' ? 0 : 1);
  const isIdle = ({ at, busy, counters }: (typeof samples)[number]) =>
    at > 500 && counters.waiting > 0 && busy < Math.max(1, least);
  const idle = samples.find((sample, n) => isIdle(sample) && n > 0 && isIdle(samples[n - 1]!));
  return idle && `at ${idle.at}: ${idle.busy} at work, ${idle.counters.waiting} wait`;
}

/** Connections, places in the queue. */
function bounds(played: Played): string | undefined {
  const { history, samples, connections } = played;
  const { poolSize, kind } = history;
  const most = poolSize + Math.max(poolSize, 10);
  if (connections > most) return `${connections} connections`;
  const keys = new Set(history.asked.map(({ key }) => key)).size - 1;
  if (keys === 1 && connections > poolSize) return `${connections} connections for one key`;
  if ((kind === 'untroubled' || kind === 'overload') && connections > poolSize)
    return `${connections} connections`;
  // Beyond the pool only where a key would wait for long: the one that hangs gets none.
  const hung = kind === 'keys' ? history.troubles[0]!.keys! : new Set<string>();
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
