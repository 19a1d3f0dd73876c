import { MS_PER_DAY } from '@sightline/reports';
import type { Insight } from './insights.ts';

/** A notification that an insight began or was resolved. */
export interface Event {
  /** Identical in all deliveries of the event, so that receivers can detect repeats. */
  id: string;
  event: 'new' | 'resolved';
  insight: Insight;
}

/** The reported insights by id, in their last reported state. */
export type ReportedInsights = Readonly<
  Record<string, { event: Event['event']; insight: Insight; at: string }>
>;

/** Number of days for which resolved insights are remembered, so that they are not reported again. */
const REMEMBERED_DAYS = 92;

/**
 * Returns the events that have not been reported yet, the most severe first. An insight that the service no longer
 * lists counts as resolved.
 */
export function toEvents(reported: ReportedInsights, insights: readonly Insight[]): Event[] {
  const present = new Map(insights.map(insight => [insight.id, insight]));
  const begun = insights.filter(({ id }) => !Object.hasOwn(reported, id));
  const over = Object.entries(reported)
    .filter(([id, { event }]) => event === 'new' && (present.get(id)?.state ?? 'resolved') === 'resolved')
    .map(([id, { insight }]) => present.get(id) ?? insight);
  return [
    ...begun.map((insight): Event => ({ id: `${insight.id}:new`, event: 'new', insight })),
    ...over.map((insight): Event => ({ id: `${insight.id}:resolved`, event: 'resolved', insight })),
  ];
}

/** Records an event as delivered. */
export function withEvent(
  reported: ReportedInsights,
  { event, insight }: Event,
  now: Date,
): ReportedInsights {
  return { ...reported, [insight.id]: { event, insight, at: now.toISOString() } };
}

/** Removes insights that were resolved so long ago that no query returns them. */
export function withoutExpired(reported: ReportedInsights, now: Date): ReportedInsights {
  const isRecent = ({ event, at }: ReportedInsights[string]) =>
    event === 'new' || now.getTime() - Date.parse(at) < REMEMBERED_DAYS * MS_PER_DAY;
  return Object.fromEntries(Object.entries(reported).filter(([, one]) => isRecent(one)));
}
