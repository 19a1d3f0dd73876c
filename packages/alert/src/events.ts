import type { Sign } from './signs.ts';

/** The news of a sign: once that it began, and once that it is over. */
export interface Event {
  /** The same however often it is delivered. */
  id: string;
  event: 'new' | 'resolved';
  sign: Sign;
}

/** Signs by their ids, as they were told last. */
export type Told = Readonly<Record<string, { event: Event['event']; sign: Sign; at: string }>>;

const DAY = 24 * 3_600_000;

/** Days for which a sign that is over is remembered, so that it is not told anew. */
const REMEMBERED_DAYS = 92;

/** A sign that has not been seen for so long is over, and so is one that the service no longer tells. */
const OVER_AFTER = DAY;

/** A report by mail has the date at which its day began, and comes in the course of the next one. */
const MAIL_OVER_AFTER = 3 * DAY;
const BY_MAIL: readonly string[] = ['newSender', 'senderFails', 'tlsFailures'];

const isOver = ({ kind, lastSeen }: Sign, now: Date) =>
  now.getTime() - Date.parse(lastSeen) > (BY_MAIL.includes(kind) ? MAIL_OVER_AFTER : OVER_AFTER);

/** The events since those that were told already, the most severe first. */
export function eventsOf(told: Told, signs: readonly Sign[], now: Date): Event[] {
  const present = new Map(signs.map(sign => [sign.id, sign]));
  const begun = signs.filter(({ id }) => !Object.hasOwn(told, id));
  const over = Object.entries(told)
    .filter(([id, { event }]) => event === 'new' && (!present.has(id) || isOver(present.get(id)!, now)))
    .map(([id, { sign }]) => present.get(id) ?? sign);
  return [
    ...begun.map((sign): Event => ({ id: `${sign.id}:new`, event: 'new', sign })),
    ...over.map((sign): Event => ({ id: `${sign.id}:resolved`, event: 'resolved', sign })),
  ];
}

/** With an event that was delivered. */
export function withEvent(told: Told, { event, sign }: Event, now: Date): Told {
  return { ...told, [sign.id]: { event, sign, at: now.toISOString() } };
}

/** Without what was over so long ago that it can no longer be asked for. */
export function remembered(told: Told, now: Date): Told {
  const isKept = ({ event, at }: Told[string]) =>
    event === 'new' || now.getTime() - Date.parse(at) < REMEMBERED_DAYS * DAY;
  return Object.fromEntries(Object.entries(told).filter(([, one]) => isKept(one)));
}
