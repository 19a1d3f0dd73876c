import { newFindings } from '../../sql/signs/findings.ts';
import { type Draft, plural, told } from './draft.ts';
import { type Looked, stretchOf } from './looked.ts';

/** Days in which a watch has found nothing new, so that the next finding is told. */
const QUIET = 14;

/** A sign for each watch that was quiet, and found something new. */
export async function findingSigns(looked: Looked): Promise<Draft[]> {
  const found = await newFindings(looked.database, stretchOf(looked, 0), QUIET);
  return found.map(({ product, site, findings, count, subject, first, last, day }) => ({
    kind: 'newFinding',
    severity: 'notice',
    title: `The ${product} watch of ${told(site)} found ${plural(findings, 'thing')} that it had not seen before`,
    detail: `The newest is ${told(subject)}.`,
    subject: site,
    key: `${product} ${site} ${day}`,
    first,
    last,
    count,
    usual: 0,
    place: 'watches',
    hosts: [],
    rank: first,
  }));
}
