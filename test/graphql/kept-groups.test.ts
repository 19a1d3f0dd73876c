import { readdirSync, readFileSync } from 'node:fs';
import { hasNoise } from '@sightline/pages/app/filters';
import { REPORT_TYPES } from '@sightline/pages/app/report-types';
import type { ReportType } from '@sightline/reports';
import { type FieldNode, Kind, parse, valueFromASTUntyped, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { dailySet, KEPT_TYPES } from '../../sql/report/daily-sets.ts';

/**
 * One grouping that is not kept by day makes all of its request read reports. The page then costs twenty times as much
 * in a large account, and does not say so.
 */
const ADVICE =
  'is not kept by day: add it to KEPT in sql/report/daily-sets.ts, or to OF_REPORTS here with a reason';

/** Documents of the page that read reports on purpose, and why. */
const OF_REPORTS: Readonly<Record<string, string>> = {
  // Policies have too many identifiers for groups of a day.
  Policies: 'POLICY_ID DIRECTIVE',
};

const folder = new URL('../../packages/pages/src/app/browser/documents/', import.meta.url);

/** The groupings that a document has by itself: the type, and what it groups by. */
function groupingsIn(text: string): { type: ReportType; by: string[] }[] {
  const found: { type: ReportType; by: string[] }[] = [];
  visit(parse(text), {
    Field(field: FieldNode) {
      if (field.name.value !== 'reportGroups') return;
      const given = new Map(field.arguments?.map(({ name, value }) => [name.value, value]));
      const [type, by] = [given.get('type'), given.get('by')];
      if (type?.kind !== Kind.ENUM || by?.kind !== Kind.LIST) return;
      found.push({ type: type.value as ReportType, by: valueFromASTUntyped(by) as string[] });
    },
  });
  return found;
}

describe('what the page groups by is kept by day', () => {
  it.each(REPORT_TYPES.filter(({ type }) => KEPT_TYPES.includes(type)))('in the view of $type', view => {
    const { type, groupings, splits } = view;
    const noise = hasNoise(view) ? ['SOURCE_CLASS'] : [];
    const missing = [...groupings, ...splits]
      .map(grouping => [...new Set([...grouping.by, ...noise])])
      .filter(names => !dailySet(type, names))
      .map(names => `${type} by ${names.join(' ')} ${ADVICE}`);
    expect(missing).toEqual([]);
  });

  it('in its documents', () => {
    const documents = readdirSync(folder).filter(name => name.endsWith('.graphql'));
    const all = documents.flatMap(name =>
      groupingsIn(readFileSync(new URL(name, folder), 'utf8')).map(grouping => ({
        ...grouping,
        name: name.replace('.graphql', ''),
      })),
    );
    expect(all.length).toBeGreaterThan(5);
    const missing = all
      .filter(({ type, by, name }) => KEPT_TYPES.includes(type) && OF_REPORTS[name] !== by.join(' '))
      .filter(({ type, by }) => !dailySet(type, by))
      .map(({ type, by, name }) => `${name}: ${type} by ${by.join(' ')} ${ADVICE}`);
    expect(missing).toEqual([]);
  });
});
