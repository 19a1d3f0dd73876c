import { REPORT_TYPE_DEFINITIONS, reportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { RECORDS } from '../support/records.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 30 }));
  await open(service, personal('eve'), plan('eve'));
  await service.load(
    ...belongings('ada').filter(({ kind }) => kind === 'report'),
    report('ada', 'csp', 'kept', { date: '2026-04-20T00:00:00Z', directive: 'img-src', count: 3 }),
    report('ada', 'csp', 'too-old', { date: '2026-04-19T23:59:59Z' }),
    report('eve', 'csp', 'foreign'),
  );
});
afterAll(() => service.close());

const LIST = `query ($type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant,
    $where: ReportFilter, $not: ReportFilter) {
  viewer { reports(type: $type, unit: $unit, date: $date, from: $from, to: $to, where: $where, not: $not) {
    truncated reports { __typename id recordId type date count raw } } } }`;
const ONE = `query ($type: ReportTypeName!, $id: ID!) {
  viewer { report(type: $type, id: $id) { __typename id recordId type date count raw } } }`;

async function list(variables: Record<string, unknown>) {
  const { viewer } = await data(service, key, LIST, { variables });
  return viewer.reports;
}

async function one(type: string, id: string) {
  const { viewer } = await data(service, key, ONE, { variables: { type, id } });
  return viewer.report;
}

describe.each(REPORT_TYPE_DEFINITIONS.map(({ type, typeName }) => [type, typeName] as const))(
  'report type %s',
  (type, typeName) => {
    it('lists reports with their type, and finds each by both of its ids', async () => {
      const { reports } = await list({ type, unit: 'days', date: '2026-05-20' });
      expect(reports.length).toBeGreaterThan(0);
      for (const report of reports) {
        expect(report).toMatchObject({ __typename: typeName, type });
        expect(await one(type, report.id)).toEqual(report);
        expect(await one(type, report.recordId)).toEqual(report);
      }
    });
  },
);

describe('reports of any type', () => {
  const csp = { type: 'csp', from: '2026-04-01', to: '2026-05-01' };
  const ids = async (variables: Record<string, unknown>) =>
    (await list(variables)).reports.map(({ recordId }: { recordId: string }) => recordId);

  it('returns the reports of the requested period that are within the retention', async () => {
    expect(await ids(csp)).toEqual(['kept']);
    expect(await ids({ ...csp, to: '2026-04-20' })).toEqual([]);
  });

  it('returns the reports of a period that begins now, but not of one that begins later', async () => {
    await service.load(report('ada', 'csp', 'ahead', { date: '2026-05-21T12:00:00Z' }));
    expect(await ids({ type: 'csp', from: NOW })).toContain('ahead');
    expect(await ids({ type: 'csp', from: '2026-05-20T14:30:00.001Z' })).toEqual([]);
  });

  it('returns reports of all of tomorrow, and a day more, if the period has no end', async () => {
    await service.load(
      report('ada', 'csp', 'tomorrow', { date: '2026-05-21T23:59:59Z' }),
      report('ada', 'csp', 'latest', { date: '2026-05-22T23:59:59Z' }),
    );
    expect((await ids({ type: 'csp', from: NOW })).slice(0, 2)).toEqual(['latest', 'tomorrow']);
  });

  it('accepts an instant whose plus sign was decoded as a space', async () => {
    const { reports } = await list({ type: 'csp', from: '2026-05-20T00:00:00+00:00' });
    const variables = encodeURIComponent('{"type":"csp","from":"2026-05-20T00:00:00+00:00"}').replace(
      '%2B',
      '+',
    );
    const query = encodeURIComponent(LIST);
    const { body } = await service.get(`/graphql?query=${query}&variables=${variables}`, key);
    expect(reports.length).toBeGreaterThan(0);
    expect(body.data.viewer.reports.reports).toEqual(reports);
  });

  it('applies the filters of where and excludes the matches of not', async () => {
    expect(await ids({ ...csp, where: { effectiveDirective: 'img-src' } })).toEqual(['kept']);
    expect(await ids({ ...csp, where: { effectiveDirective: 'font-src' } })).toEqual([]);
    expect(await ids({ ...csp, not: { effectiveDirective: 'img-src' } })).toEqual([]);
    const [{ id }] = (await list(csp)).reports;
    expect(await ids({ ...csp, where: { id } })).toEqual(['kept']);
    expect(await ids({ ...csp, not: { id } })).toEqual([]);
  });

  it.each([
    [{ type: 'csp' }, 'Missing required parameter: give unit and date, or from'],
    [{ type: 'csp', unit: 'days' }, 'Missing required parameter: date'],
    [{ type: 'csp', date: '2026-05-20' }, 'Missing required parameter: unit'],
    [{ type: 'csp', to: '2026-05-20' }, 'Missing required parameter: give unit and date, or from'],
    [
      { type: 'csp', unit: 'days', date: '2026-05-20', to: '2026-05-21' },
      'Give either unit and date, or from and to',
    ],
    [{ ...csp, unit: 'days', date: '2026-05-20' }, 'Give either unit and date, or from and to'],
    [{ type: 'csp', unit: 'days', date: '2026-13-01' }, 'Invalid value for parameter: date'],
    [{ ...csp, where: { reason: 'oom' } }, 'Parameter where.reason does not apply to report type csp'],
    [{ ...csp, not: { reason: 'oom' } }, 'Parameter not.reason does not apply to report type csp'],
    [{ ...csp, where: { ioc: true } }, 'Threat Intelligence is not included in your plan'],
    [{ ...csp, where: { domainReputationScore: 0 } }, 'Threat Intelligence is not included in your plan'],
    [{ ...csp, where: { action: 'dropped' } }, 'Invalid value for parameter: where.action'],
    [{ ...csp, not: { action: 'dropped' } }, 'Invalid value for parameter: not.action'],
    [{ ...csp, where: { hostnames: Array(51).fill('a') } }, 'Invalid value for parameter: where.hostnames'],
    [{ ...csp, not: { paths: Array(51).fill('/') } }, 'Invalid value for parameter: not.paths'],
  ])('returns an error that names the invalid parameter for %j', async (variables, message) => {
    const { body } = await ask(service, key, LIST, { variables });
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message]);
    expect(body.data.viewer.reports).toBeNull();
  });
});

const globalId = (...parts: string[]) => Buffer.from(parts.join('\0')).toString('base64url');

describe('a global id', () => {
  const own = globalId('CspReport', 'ada', 'kept');

  it.each([
    ['another account', globalId('CspReport', 'eve', 'kept')],
    ['another type', globalId('NelReport', 'ada', 'kept')],
    ['another encoding', `${own}==`],
  ])('of %s finds no report with the same local id', async (_, id) => {
    expect((await one('csp', own)).recordId).toBe('kept');
    expect(await one('csp', id)).toBeNull();
    const period = { type: 'csp', unit: 'months', date: '2026-04' };
    expect((await list({ ...period, where: { id } })).reports).toEqual([]);
    expect((await list({ ...period, not: { id } })).reports).toHaveLength(1);
  });

  it('is a filter of the list of its type as well', async () => {
    const read = async (filter: string) => {
      const asked = `cspReports(unit: months, date: "2026-04", ${filter}) { reports { recordId } }`;
      return (await data(service, key, `{ viewer { ${asked} } }`)).viewer.cspReports.reports;
    };
    expect(await read(`id: "${own}"`)).toEqual([{ recordId: 'kept' }]);
    expect(await read(`not: { id: "${own}" }`)).toEqual([]);
  });
});

describe('a single report', () => {
  it('is null for an unknown id, another report type, another account, or a report past the retention', async () => {
    expect(await one('csp', 'kept')).toMatchObject({ recordId: 'kept', count: 3 });
    for (const [type, id] of [
      ['csp', 'nothing'],
      ['nel', 'kept'],
      ['csp', 'foreign'],
      ['csp', 'too-old'],
    ] as const)
      expect(await one(type, id), id).toBeNull();
  });

  it.each(['csp', 'csp_integrity', 'integrity_policy'] as const)(
    'of the type %s has the values of threat intelligence only if the plan includes it',
    async type => {
      const { given, whole, unknown } = RECORDS[type];
      const names = Object.keys(whole).filter(name => /domain$|compromise$|suspicious|hosts$/i.test(name));
      const { typeName } = reportType(type);
      const query = `{ viewer { report(type: ${type}, id: "marked") { ... on ${typeName} { ${names.join(' ')} } } } }`;
      for (const [account, features, expected] of [
        [`with-${type}`, THREAT_INTELLIGENCE, whole],
        [`without-${type}`, {}, unknown],
      ] as const) {
        const own = await open(service, personal(account), plan(account, {}, features));
        await service.load(report(account, type, 'marked', { ...given, id: 'marked', date: NOW }));
        const { viewer } = await data(service, own, query);
        expect(viewer.report).toEqual(
          Object.fromEntries(names.map(name => [name, (expected as Record<string, unknown>)[name]])),
        );
      }
    },
  );

  it('is found if it is dated ahead in the next month, as lists show it', async () => {
    service.setNow('2026-05-31T12:00:00Z');
    await service.load(report('ada', 'nel', 'next-month', { date: '2026-06-01T10:00:00Z' }));
    const { reports } = await list({ type: 'nel', from: '2026-06-01' });
    const later = await list({ type: 'nel', from: '2026-05-31' });
    const found = await one('nel', 'next-month');
    service.setNow(NOW);
    expect(reports).toEqual([]);
    expect(later.reports).toEqual([expect.objectContaining({ recordId: 'next-month' })]);
    expect(found).toEqual(later.reports[0]);
  });

  it('is the one with exactly this id, even if others differ only in case', async () => {
    const twins = ['twin', 'Twin', 'TWIN', 'tWIN'];
    await service.load(...twins.map(id => report('ada', 'coop', id)));
    for (const id of twins) expect(await one('coop', id)).toMatchObject({ recordId: id });
    expect(await one('coop', 'tWiN')).toBeNull();
  });
});
