import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import { dimension } from '../../sql/report/dimensions.ts';
import { reportGroups } from '../../sql/report-groups.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

const DAY = 86_400_000;
const EARLIER = new Date(Date.parse(NOW) - DAY).toISOString();

let service: TestService;
let key: string;
let shortKey: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('long'), plan('long', { dataRetentionDays: 400 }));
  shortKey = await open(service, personal('short'), plan('short', { dataRetentionDays: 30 }));
  await service.load(
    report('long', 'csp', 'one', { date: EARLIER }),
    report('long', 'nel', 'two', { date: EARLIER }),
  );
});
afterAll(() => service.close());

async function group(time: string, days: number, as = key) {
  const to = Date.parse(NOW);
  const period = `from: "${new Date(to - days * DAY).toISOString()}", to: "${new Date(to).toISOString()}"`;
  const { body } = await ask(service, as, `{ viewer { reportGroups(${period}, ${time}) { totalReports } } }`);
  return body;
}

const refusal = (time: string) => ({
  data: { viewer: { reportGroups: null } },
  errors: [
    expect.objectContaining({
      message: `Groups by ${time} read each report: choose a period of at most 31 days, or group by DAY.`,
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'days', max: 31 },
    }),
  ],
});
const FOUND = { data: { viewer: { reportGroups: { totalReports: 1 } } } };

describe('groups that have no rollups', () => {
  it.each([
    ['type: csp, by: [MINUTE]', 'minute'],
    ['type: csp, by: [BROWSER, MINUTE]', 'minute'],
    ['type: nel, by: [HOUR]', 'hour'],
    ['type: csp, by: [HOUR, PAGE_HOST]', 'hour'],
    ['type: csp, by: [HOUR], where: { browser: "Firefox" }', 'hour'],
  ])('are rejected with advice for more than 31 days: "%s", by %s', async (asked, time) => {
    expect(await group(asked, 32)).toEqual(refusal(time));
  });

  it.each(['type: csp, by: [MINUTE]', 'type: nel, by: [HOUR]'])(
    'are returned for 31 days: "%s"',
    async asked => {
      expect(await group(asked, 31)).toEqual(FOUND);
    },
  );

  it('are returned for a period that started 31 days ago and is still open', async () => {
    const from = new Date(Date.parse(NOW) - 31 * DAY).toISOString();
    const query = `{ viewer { reportGroups(type: csp, from: "${from}", by: [MINUTE]) { totalReports } } }`;
    expect((await ask(service, key, query)).body).toEqual(FOUND);
  });

  it('are returned for a longer period if the retention shortens it to the allowed length', async () => {
    const expected = { data: { viewer: { reportGroups: { totalReports: 0 } } } };
    expect(await group('type: csp, by: [MINUTE]', 300, shortKey)).toEqual(expected);
  });
});

it.each(['type: csp, by: [HOUR]', 'type: csp, by: [HOUR, SOURCE_CLASS]', 'type: nel, by: [DAY, PHASE]'])(
  'groups with rollups are returned for a year: "%s"',
  async asked => {
    expect(await group(asked, 365)).toEqual(FOUND);
  },
);

describe('the days of a group', () => {
  const FROM = '2026-01-01T00:00:00Z';
  const OFFSETS = [0, 1, 61, 62, 63, 123, 124, 125];
  const toDay = (offset: number) => new Date(Date.parse(FROM) + offset * DAY).toISOString();

  it('are counted once each, in periods of any number of days', async () => {
    await service.load(
      ...OFFSETS.flatMap(offset =>
        [`day-${offset}.example`, 'every.example'].map(host =>
          report('long', 'coep', `${host} ${offset}`, { date: toDay(offset), uri: `https://${host}/` }),
        ),
      ),
    );
    for (const last of OFFSETS) {
      const asked = `reportGroups(type: coep, by: [PAGE_HOST], from: "${FROM}", to: "${toDay(last + 1)}")`;
      const { body } = await ask(service, key, `{ viewer { ${asked} { groups { keys { value } days } } } }`);
      const within = OFFSETS.filter(offset => offset <= last);
      const found = body.data.viewer.reportGroups.groups.map(
        ({ keys, days }: { keys: { value: string }[]; days: number }) => [keys[0]!.value, days],
      );
      expect(Object.fromEntries(found)).toEqual({
        'every.example': within.length,
        ...Object.fromEntries(within.map(offset => [`day-${offset}.example`, 1])),
      });
    }
  });

  it('are also available as bits, the first day of the period as 1', async () => {
    const by = [dimension('coep', 'PAGE_HOST')!];
    for (const last of OFFSETS) {
      const query = { account: 'long' as AccountId, type: 'coep', filters: {}, not: {} } as const;
      const [found] = await reportGroups(service.database, { ...query, from: FROM, until: toDay(last + 1) }, [
        { by, orderBy: 'KEY', first: 100, withDayBits: true },
      ]);
      const within = OFFSETS.filter(offset => offset <= last).map(
        offset => [offset, 1n << BigInt(offset)] as const,
      );
      expect(Object.fromEntries(found!.groups.map(({ values, dayBits }) => [values[0], dayBits]))).toEqual({
        'every.example': within.reduce((sum, [, bit]) => sum | bit, 0n),
        ...Object.fromEntries(within.map(([offset, bit]) => [`day-${offset}.example`, bit])),
      });
    }
  });
});

describe('groups that are new since a time', () => {
  const SINCE = '2026-05-10T12:00:00Z';

  it('include those that were first seen exactly then, and only they are in the totals', async () => {
    const certificate = (name: string, date: string, count: number, ...hostnames: string[]) =>
      report('long', 'certificate_transparency', name, { date, count, hostnames });
    await service.load(
      certificate('before', '2026-05-10T11:59:59.999Z', 3, 'before.example', 'both.example'),
      certificate('at', SINCE, 5, 'at.example', 'both.example'),
      certificate('after', '2026-05-11T00:00:00Z', 7, 'at.example', 'after.example'),
      certificate('none', '2026-05-11T01:00:00Z', 50),
      certificate('again', '2026-05-11T02:00:00Z', 1, 'at.example'),
      // In the previous period.
      certificate('previous', '2026-04-25T00:00:00Z', 60),
    );
    const list = async (order: string, first = 10) => {
      const asked = `reportGroups(type: certificate_transparency, by: [PAGE_HOST], from: "2026-05-01", to: "2026-05-12",
        firstSeenSince: "${SINCE}", orderBy: ${order}, first: ${first})`;
      const fields =
        '{ groups { keys { value } count reports } otherGroups totalCount totalReports truncated }';
      const { body } = await ask(service, key, `{ viewer { ${asked} ${fields} } }`);
      return body.data.viewer.reportGroups;
    };
    const { groups, ...totals } = await list('KEY');
    const rows = groups.map(
      ({ keys, count, reports }: { keys: { value: string }[]; count: number; reports: number }) => [
        ...[keys[0]!.value, count, reports],
      ],
    );
    expect(rows).toEqual([
      ['', 50, 1],
      ['after.example', 7, 1],
      ['at.example', 13, 3],
    ]);
    expect(totals).toEqual({ otherGroups: 0, totalCount: 70, totalReports: 5, truncated: false });
    const names = async (order: string) =>
      (await list(order)).groups.map(({ keys }: { keys: { value: string }[] }) => keys[0]!.value);
    expect(await names('FIRST_SEEN')).toEqual(['', 'after.example', 'at.example']);
    expect(await names('LAST_SEEN')).toEqual(['at.example', '', 'after.example']);
    expect(await names('REPORTS')).toEqual(['at.example', '', 'after.example']);
    expect(await names('COUNT')).toEqual(['', 'at.example', 'after.example']);
    expect(await list('KEY', 1)).toMatchObject({ otherGroups: 2, totalCount: 70, truncated: true });
    // Over all reports of the previous period, whenever their group was first seen in this one.
    expect(await names('RISE')).toEqual(['at.example', 'after.example', '']);
  });
});
