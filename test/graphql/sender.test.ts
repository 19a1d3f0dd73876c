import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
const date = new Date(Date.now() - 2 * 86_400_000).toISOString();
const signed = (...domains: string[]) => ({
  dkimResults: domains.map(domain => ({ domain, result: 'pass' })),
});

beforeAll(async () => {
  service = await startService();
  await service.load(
    personal('a'),
    plan('a'),
    report('a', 'dmarc', 'named', { date, organisation: 'Example Post Ltd', aligned: true }),
    report('a', 'dmarc', 'signed', {
      date,
      sourceIp: '192.0.2.1',
      ...signed('k.mailing.example'),
      aligned: true,
    }),
    report('a', 'dmarc', 'again', {
      date,
      sourceIp: '198.51.100.1',
      ...signed('mailing.example'),
      aligned: true,
    }),
    report('a', 'dmarc', 'unknown', { date, sourceIp: '192.0.2.9' }),
  );
  key = await service.key('personal', 'a');
});
afterAll(() => service?.close());

const FROM = new Date(Date.now() - 7 * 86_400_000).toISOString();

async function senders(): Promise<Record<string, number>> {
  const query = `{ viewer { reportGroups(type: dmarc, from: "${FROM}", by: [SENDER]) {
    groups { keys { value } reports } } } }`;
  const { body } = await service.get(`/graphql?query=${encodeURIComponent(query)}`, key);
  const { groups } = body.data.viewer.reportGroups;
  return Object.fromEntries(
    groups.map(({ keys, reports }: { keys: { value: string }[]; reports: number }) => [
      keys[0]!.value,
      reports,
    ]),
  );
}

const EXPECTED = { 'Example Post Ltd': 1, 'mailing.example': 2, '192.0.2.0/24': 1 };

describe('the sender of a DMARC report', () => {
  it('can be used for grouping and filtering', async () => {
    expect(await senders()).toEqual(EXPECTED);
    const query = `{ viewer { reports(type: dmarc, from: "${FROM}", where: { sender: "Mailing.example" }) {
      reports { raw ... on DmarcReport { sender } } } } }`;
    const { body } = await service.get(`/graphql?query=${encodeURIComponent(query)}`, key);
    expect(body.data.viewer.reports.reports).toEqual([
      { raw: 'signed', sender: 'mailing.example' },
      { raw: 'again', sender: 'mailing.example' },
    ]);
  });

  it('is included in exports but not in /v1', async () => {
    const exported = await service.get('/export/reports/dmarc?format=json', key);
    const names = exported.body.map(
      ({ raw, sender }: { raw: string; sender: string }) => `${raw}: ${sender}`,
    );
    expect(names.sort()).toEqual([
      'again: mailing.example',
      'named: Example Post Ltd',
      'signed: mailing.example',
      'unknown: 192.0.2.0/24',
    ]);
    const { body } = await service.get(`/v1/reports/dmarc?unit=days&date=${date.slice(0, 10)}`, key);
    expect(body.reports).toHaveLength(4);
    expect(Object.keys(body.reports[0])).not.toContain('sender');
  });

  it('is not accepted as a field of the feed', async () => {
    await expect(service.load(report('a', 'dmarc', 'x', { date, sender: 'me' }))).rejects.toThrow(
      /sender is not a field of dmarc reports/,
    );
  });
});

describe('the network of a sender', () => {
  const ID = 'of a network';
  let key: string;
  beforeAll(async () => {
    await service.load(personal('n'), plan('n'));
    key = await service.key('personal', 'n');
  });

  it.each([
    ['198.51.100.7', '198.51.100.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['2001:0DB8:0000:0005:0:0:0:1', '2001:db8::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['fe80::1', 'fe80::/48'],
    ['999.1.1', ''],
    ["1.2.3.4'; --", ''],
    ['no address', ''],
  ])('with the address %s is %s, and can be used for grouping and filtering', async (sourceIp, network) => {
    await service.load(report('n', 'dmarc', ID, { date, sourceIp }));
    const query = `query ($where: ReportFilter!) { viewer {
      reportGroups(type: dmarc, from: "${FROM}", by: [SOURCE_NETWORK]) { groups { keys { value } } }
      reports(type: dmarc, from: "${FROM}", where: $where) { reports { ... on DmarcReport { sourceIp } } } } }`;
    const where = network === '' ? { sourceIp } : { sourceNetwork: network };
    const { reportGroups, reports } = (await data(service, key, query, { variables: { where } })).viewer;
    expect(reportGroups.groups).toEqual([{ keys: [{ value: network }] }]);
    expect(reports.reports).toEqual([{ sourceIp }]);
  });
});
