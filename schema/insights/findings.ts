import type { Product } from '@sightline/feed';
import { newFindings } from '../../sql/insights/findings.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, plural, shortenText } from './candidate.ts';
import { type InsightScope, toWindow } from './scope.ts';

const countNew = (product: Product, found: number) =>
  product === 'policy' ? (found === 1 ? '1 policy' : `${found} policies`) : plural(found, 'host');

/** Finds watches that were quiet and now have new findings. */
export async function findingInsights(scope: InsightScope): Promise<InsightCandidate[]> {
  const days = await newFindings(scope.database, toWindow(scope, 0), RULES.newFinding.quietDays);
  return days.map(({ product, site, found, count, subject, first, last, day }) => ({
    kind: 'newFinding',
    severity: 'notice',
    title: `The ${product} watch of ${shortenText(site)} found ${countNew(product, found)} that no watch had found before`,
    detail: `The newest is ${shortenText(subject)}.`,
    subject: site,
    key: `${product} ${site} ${day}`,
    first,
    last,
    count,
    baseline: 0,
    place: 'watches',
    hosts: [],
    rank: first,
  }));
}
