import { MS_PER_DAY, type ReportType, SECONDS_PER_HOUR } from '@sightline/reports';
import type { Series } from '../../sql/insights/hourly.ts';
import type { InsightCoverage } from '../insight.ts';
import { toInstant } from './candidate.ts';
import { type InsightScope, LEARNING_DAYS } from './scope.ts';

/** @param series the hours of each type, from the first one read */
export function getCoverage(
  series: ReadonlyMap<ReportType, Series>,
  { since, until }: Pick<InsightScope, 'since' | 'until'>,
): InsightCoverage {
  const begin = Math.floor(since.getTime() / 1000 / SECONDS_PER_HOUR);
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    types: [...series].flatMap(([type, { hours }]) => {
      const [first] = hours;
      if (!first) return [];
      const learned = first.first * 1000 + LEARNING_DAYS * MS_PER_DAY;
      return [
        {
          type,
          reports: hours.reduce((sum, { hour, reports }) => (hour >= begin ? sum + reports : sum), 0),
          learningUntil: learned > until.getTime() ? toInstant(learned / 1000) : null,
        },
      ];
    }),
  };
}
