import { readdirSync, readFileSync } from 'node:fs';
import type { ReportType } from '@sightline/reports';
import { type FieldNode, Kind, parse, valueFromASTUntyped, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { hasNoise, listFilters as listPageFilters } from '../../packages/web/src/app/browser/filters.ts';
import { REPORT_TYPES } from '../../packages/web/src/app/browser/report-types.ts';
import type { AccountId } from '../../sql/account-id.ts';
import { findDetails } from '../../sql/groups/with-details.ts';
import { dailySet, KEPT_TYPES } from '../../sql/report/daily-sets.ts';
import { dimension, listDimensions } from '../../sql/report/dimensions.ts';
import type { FilterKind, FilterValues } from '../../sql/report/filter.ts';
import { listFilters } from '../../sql/report/filters.ts';

/**
 * If one grouping has no rollup, its whole request reads reports, which makes the page twenty times as expensive for a
 * large account.
 */
const ADVICE =
  'is not kept by day: add it to KEPT in sql/report/daily-sets.ts, or to OF_REPORTS here with a reason';

/** Groupings in the page's operations that need no daily rollup of their own, with the reason. */
const OF_REPORTS: Readonly<Record<string, string>> = {
  // Policies have too many distinct identifiers for a daily rollup.
  Policies: 'POLICY_ID DIRECTIVE',
  // Paths have too many distinct values for a rollup of their own. The rollup of details is used instead.
  SearchPaths: 'PAGE_PATH',
  // For the few mail domains, the rollup of details is used as well.
  MailDomains: 'DOMAIN',
  Senders: 'SENDER DKIM SPF',
};

const folder = new URL('../../packages/web/src/app/browser/documents/', import.meta.url);

/** Returns the report types of a document, and the dimensions that it groups them by. */
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

describe('the groupings of the web app', () => {
  it.each(REPORT_TYPES.filter(({ type }) => KEPT_TYPES.includes(type)))(
    'have daily rollups in the view of $type',
    view => {
      const { type, groupings, splits } = view;
      const noise = hasNoise(view) ? ['SOURCE_CLASS'] : [];
      const missing = [...groupings, ...splits]
        .map(grouping => [...new Set([...grouping.by, ...noise])])
        .filter(names => !dailySet(type, names))
        .map(names => `${type} by ${names.join(' ')} ${ADVICE}`);
      expect(missing).toEqual([]);
    },
  );

  it('have daily rollups in the GraphQL documents', () => {
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

/** A valid value for every kind of filter. */
const VALUES: Partial<Record<FilterKind, FilterValues[string]>> = {
  hosts: ['*.example'],
  paths: ['*x*'],
  hashes: ['sha256-x'],
  classes: ['inline'],
  atMost: 50,
  flag: true,
  anyFlag: true,
  boolean: true,
};

/** Filters and dimensions with a different value in almost every report. */
const SINGLE = ['id', 'sha256Spki', 'MINUTE', 'HOUR'];

describe('detailed daily rollups', () => {
  const answers = (type: ReportType, by: readonly string[], filters: FilterValues) => {
    const period = { account: 'ada' as string as AccountId, from: '2026-01-01', until: '2027-01-01' };
    const grouping = { by: by.map(name => dimension(type, name)!), orderBy: 'COUNT', first: 1 } as const;
    return findDetails({ ...period, type, filters, not: filters }, [grouping]) !== undefined;
  };

  it.each(REPORT_TYPES)('answer every grouping and filter of the view of $type', view => {
    const { type, groupings, splits } = view;
    const offered = listPageFilters(view);
    const filters = listFilters(type).filter(({ name }) => offered.includes(name) && !SINGLE.includes(name));
    expect(filters.length).toBeGreaterThan(0);
    const requests = [...groupings, ...splits].flatMap(({ by }) =>
      filters.map(({ name, kind }) => ({ by, filters: { [name]: VALUES[kind] ?? 'x' } })),
    );
    expect(requests.filter(({ by, filters }) => !answers(type, by, filters))).toEqual([]);
  });

  it('do not answer a filter for a policy with a nonce, which they omit', () => {
    expect(answers('csp', ['BLOCKED_HOST'], { policy: "script-src 'self'" })).toBe(true);
    expect(answers('csp', ['BLOCKED_HOST'], { policy: "script-src 'Nonce-abc'" })).toBe(false);
  });

  it.each(REPORT_TYPES)('answer every dimension of $type except the time within a day', ({ type }) => {
    const names = listDimensions(type).map(({ name }) => name);
    const missing = names.filter(name => !answers(type, [name], {}));
    expect(missing.sort()).toEqual(['HOUR', 'MINUTE']);
  });
});
