import { SightlineError } from '@sightline/client';
import { InsightsDocument, type InsightsQuery } from '../documents.generated.ts';
import type { ServiceConnection } from './service.ts';

export type ReportedInsight = NonNullable<NonNullable<InsightsQuery['viewer']>['insights']>[number];

/**
 * Returns insights that began after the given time or are ongoing, the most severe first. Null stands for the service's
 * last seven days.
 * @throws {SightlineError}
 */
export async function askInsights(
  service: ServiceConnection,
  since: string | null,
): Promise<ReportedInsight[]> {
  const { insights } = await service.ask(InsightsDocument, { since });
  if (!insights)
    throw new SightlineError(
      'The service took too long to find insights. Run "sightline maintain" there, or wait',
      0,
    );
  return insights;
}
