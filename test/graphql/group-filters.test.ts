import { REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILTER_KINDS, FILTERS_BY_GROUP } from '../../packages/web/src/app/browser/tables.generated.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { RECORDS } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
  const lines = REPORT_TYPES.flatMap(type => {
    const { id: _id, ...given } = RECORDS[type].given;
    return [
      report('ada', type, 'full', { ...given, ...(type === 'csp' && { policyId: 'main' }) }),
      report('ada', type, 'empty', { ...RECORDS[type].required, count: 1 }),
    ];
  });
  await service.load(...lines);
});
afterAll(() => service.close());

const QUERY = `query ($type: ReportTypeName!, $by: [GroupBy!]!, $where: ReportFilter) {
  viewer { reportGroups(type: $type, unit: months, date: "2026-05", by: $by, where: $where) {
    totalReports groups { reports keys { value } }
  } }
}`;

describe.each(REPORT_TYPES)('report groups of type %s', type => {
  const groups = async (by: string, where = {}) => {
    const { viewer } = await data(service, key, QUERY, { variables: { type, by: [by], where } });
    return (viewer as { reportGroups: Groups }).reportGroups;
  };

  it.each(Object.entries(FILTERS_BY_GROUP[type]))(
    'by %s can be selected with the filter %s',
    async (by, filter) => {
      const all = await groups(by);
      const value = all.groups.map(({ keys }) => keys[0]!.value).find(one => one !== '' && one !== 'false');
      expect(value).toBeDefined();
      const kind = FILTER_KINDS[filter];
      const given = kind === 'list' ? [value] : kind === 'yesNo' ? value === 'true' : value;
      const picked = await groups(by, { [filter]: given });
      expect([all.totalReports, picked.totalReports]).toEqual([2, 1]);
      expect(picked.groups.map(({ keys }) => keys[0]!.value)).toContain(value);
    },
  );
});

interface Groups {
  totalReports: number;
  groups: { reports: number; keys: { value: string }[] }[];
}
