import { askInsights, type ReportedInsight } from '../service/insights.ts';
import type { ServiceConnection } from '../service/service.ts';

/**
 * An insight as returned by `/graphql`. Title, detail and subject contain untrusted text. The link is a path with a
 * fragment. The kind is any text, because state files can come from other versions.
 */
export interface Insight extends Omit<ReportedInsight, 'kind'> {
  kind: string;
}

/** Severities, the most urgent first. */
export const SEVERITIES = ['threat', 'incident', 'change', 'notice'] as const;
export type Severity = Insight['severity'];

/**
 * Returns insights that began after the given time or are ongoing, the most severe first, without those that the team
 * accepted. Defaults to the service's last seven days.
 * @throws {SightlineError}
 */
export async function insightsSince(service: ServiceConnection, since?: Date): Promise<Insight[]> {
  const insights = await askInsights(service, since?.toISOString() ?? null);
  return insights.filter(({ verdict }) => !verdict || verdict.verdict === 'notMine');
}

/** Checks whether an insight has at least this severity. */
export function isAtLeast({ severity }: Insight, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}
