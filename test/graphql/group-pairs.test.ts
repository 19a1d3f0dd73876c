import { REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listDimensions } from '../../sql/report/dimensions.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { RECORDS } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

/** Tests combinations of dimensions, some of which share a column, a key or an expression. */

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
  await service.load(
    ...REPORT_TYPES.map(type => report('ada', type, `${type}-1`, { date: NOW, ...RECORDS[type].given })),
  );
});
afterAll(() => service.close());

/** The maximum number of aliases in a document. */
const AT_ONCE = 15;

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) =>
    combinations(items.slice(at + 1), size - 1).map(others => [item, ...others]),
  );
}

/** All pairs, the triples that share a column, and a sample of the thousands of other triples. */
function listGroupings(type: (typeof REPORT_TYPES)[number]): string[][] {
  const dimensions = listDimensions(type);
  const names = dimensions.map(({ name }) => name);
  const ofColumn = new Set(dimensions.filter(({ column }) => column).map(({ name }) => name));
  const shares = (by: readonly string[]) => by.filter(name => ofColumn.has(name)).length > 1;
  const triples = combinations(names, 3).filter((by, index) => IN_EARNEST || shares(by) || index % 40 === 0);
  return [...combinations(names, 2), ...triples];
}

async function expectGroups(type: (typeof REPORT_TYPES)[number]): Promise<void> {
  const groupings = listGroupings(type);
  for (let begin = 0; begin < groupings.length; begin += AT_ONCE) {
    const some = groupings.slice(begin, begin + AT_ONCE);
    const fields = some.map(
      (by, index) =>
        `g${index}: reportGroups(type: ${type}, from: "2026-05-01", by: [${by}]) { totalReports groups { keys { by } reports } }`,
    );
    const { body } = await ask(service, key, `{ viewer { ${fields.join(' ')} } }`);
    expect(body.errors, JSON.stringify(some)).toBeUndefined();
    for (const [index, by] of some.entries()) {
      const { totalReports, groups } = body.data.viewer[`g${index}`];
      expect({ by, totalReports }).toEqual({ by, totalReports: 1 });
      expect(groups.length).toBeGreaterThan(0);
      for (const { keys } of groups) expect(keys.map((one: { by: string }) => one.by)).toEqual(by);
    }
  }
}

const NAME = 'groups reports of type %s by every pair of dimensions and by triples';
it.each(['csp', 'dmarc'] as const)(NAME, expectGroups);
const others = REPORT_TYPES.filter(type => type !== 'csp' && type !== 'dmarc');
it.each(others)(NAME, { tags: 'slow' }, expectGroups);
