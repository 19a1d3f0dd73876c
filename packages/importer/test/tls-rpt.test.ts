import { describe, expect, it } from 'vitest';
import { importBytes, YESTERDAY } from './reports.ts';

const time = (seconds: number) => new Date((YESTERDAY + seconds) * 1000).toISOString();
const DETAIL = { 'result-type': 'certificate-expired', 'failed-session-count': 2 };

/** Imports an SMTP TLS report with these failure details, and returns its record. */
async function read(details: unknown, report: object = {}) {
  const text = JSON.stringify({
    'organization-name': 'Receiver',
    'contact-info': 'tls@receiver.example',
    'report-id': '<1@receiver.example>',
    'date-range': { 'start-datetime': time(0), 'end-datetime': time(86_399) },
    policies: [
      {
        policy: {
          'policy-type': 'STS',
          'policy-string': ['version: STSv1', '', 'mode: enforce'],
          'policy-domain': 'shop.example',
          'mx-host': 'mx1.shop.example',
          'mx-host-pattern': ['*.shop.example'],
        },
        summary: { 'total-successful-session-count': '5', 'total-failure-session-count': 2 },
        'failure-details': details,
      },
    ],
    ...report,
  });
  const { records, skipped } = await importBytes(text);
  expect(skipped).toEqual([]);
  return records[0];
}

describe('an SMTP TLS report', () => {
  it('becomes a record with all fields of RFC 8460', async () => {
    const details = {
      ...DETAIL,
      'sending-mta-ip': '[192.0.2.1]',
      'receiving-ip': '::ffff:192.0.2.2',
      'receiving-mx-hostname': 'mx1.shop.example',
      'receiving-mx-helo': 'mx1',
      'failure-reason-code': 'X509_V_ERR',
      'additional-information': 'https://receiver.example/1',
    };
    expect(await read([details])).toMatchObject({
      type: 'tls_rpt',
      date: time(0),
      reporter: 'Receiver',
      contactInfo: 'tls@receiver.example',
      reportId: '1@receiver.example',
      beginDate: time(0),
      endDate: time(86_399),
      domain: 'shop.example',
      policyType: 'sts',
      policyStrings: ['version: STSv1', 'mode: enforce'],
      mxHosts: ['mx1.shop.example', '*.shop.example'],
      successfulSessions: 5,
      failedSessions: 2,
      failureDetails: [
        {
          resultType: 'certificate-expired',
          failedSessions: 2,
          sendingMtaIp: '192.0.2.1',
          receivingIp: '192.0.2.2',
          receivingMxHostname: 'mx1.shop.example',
          receivingMxHelo: 'mx1',
          failureReasonCode: 'X509_V_ERR',
          additionalInformation: 'https://receiver.example/1',
        },
      ],
    });
  });

  it.each([
    ['additional-information', { 'additional-information': 'more' }],
    ['additional-info-uri, as in a draft of the standard', { 'additional-info-uri': 'more' }],
    [
      'the standard field if both are given',
      { 'additional-info-uri': 'old', 'additional-information': 'more' },
    ],
  ])('has further information from %s', async (_, information) => {
    const { failureDetails } = await read([{ ...DETAIL, ...information }]);
    expect(failureDetails).toMatchObject([{ additionalInformation: 'more' }]);
  });

  it.each<[string, unknown, number]>([
    ['absent', undefined, 0],
    ['a single object', DETAIL, 1],
    ['a list with other values', [DETAIL, null, 'x', DETAIL], 2],
    ['a long list', Array(1001).fill(DETAIL), 1000],
  ])('keeps the objects of its failure details if they are %s', async (_, details, count) => {
    expect((await read(details)).failureDetails).toHaveLength(count);
  });

  it('has the same id with its reporter and domain in another case, but not with another domain', async () => {
    const policy = (domain: string) => [{ policy: { 'policy-type': 'sts', 'policy-domain': domain } }];
    const one = await read([], { policies: policy('shop.example') });
    const cased = { 'organization-name': 'RECEIVER', policies: policy('Shop.Example') };
    expect(await read([], cased)).toMatchObject({ id: one.id, reporter: 'RECEIVER', domain: 'Shop.Example' });
    expect((await read([], { policies: policy('shop2.example') })).id).not.toBe(one.id);
  });

  it('has the same id without the details that parsedmarc omits', async () => {
    const said = { ...DETAIL, 'additional-information': 'more' };
    expect((await read([said])).id).toBe((await read([DETAIL])).id);
    expect((await read([{ ...DETAIL, 'receiving-ip': '192.0.2.2' }])).id).not.toBe((await read([DETAIL])).id);
  });

  it('has no end without a valid one', async () => {
    const range = { 'start-datetime': time(0), 'end-datetime': 'soon' };
    expect(await read([], { 'date-range': range })).toMatchObject({ date: time(0), endDate: null });
  });
});

describe('the policies of an SMTP TLS report', () => {
  const policy = { 'policy-type': 'sts', 'policy-domain': 'shop.example', 'policy-string': ['a'] };
  const summary = { 'total-successful-session-count': 5, 'total-failure-session-count': 2 };
  const text = (report: object = {}, change: object = {}, counts: object = {}, details: object = DETAIL) =>
    JSON.stringify({
      'organization-name': 'Receiver',
      'report-id': '1',
      'date-range': { 'start-datetime': time(0), 'end-datetime': time(86_399) },
      policies: [
        {
          policy: { ...policy, ...change },
          summary: { ...summary, ...counts },
          'failure-details': [details],
        },
      ],
      ...report,
    });
  const idOf = async (...changes: Parameters<typeof text>) => {
    const { records, skipped } = await importBytes(text(...changes));
    expect(skipped).toEqual([]);
    return records[0].id;
  };

  it.each<[string, Parameters<typeof text>]>([
    ['reporter', [{ 'organization-name': 'Other' }]],
    ['report id', [{ 'report-id': '2' }]],
    ['time', [{ 'date-range': { 'start-datetime': time(1) } }]],
    ['type', [{}, { 'policy-type': 'tlsa' }]],
    ['policy', [{}, { 'policy-string': ['b'] }]],
    ['number of sessions', [{}, {}, { 'total-successful-session-count': 6 }]],
    ['number of failures', [{}, {}, { 'total-failure-session-count': 3 }]],
    ['result', [{}, {}, {}, { ...DETAIL, 'result-type': 'starttls-not-supported' }]],
    ['sender', [{}, {}, {}, { ...DETAIL, 'sending-mta-ip': '192.0.2.9' }]],
  ])('have other ids with another %s', async (_, changes) => {
    expect(await idOf(...changes)).not.toBe(await idOf());
  });

  it.each<[string, Parameters<typeof text>]>([
    ['end', [{ 'date-range': { 'start-datetime': time(0), 'end-datetime': time(1) } }]],
    ['fraction of a second', [{ 'date-range': { 'start-datetime': time(0.5) } }]],
    ['contact', [{ 'contact-info': 'a@b.example' }]],
    ['mail server', [{}, { 'mx-host': 'mx.shop.example' }]],
    ['form of an address', [{}, {}, {}, { ...DETAIL, 'sending-mta-ip': 'unknown' }]],
  ])('have the same ids with another %s', async (_, changes) => {
    expect(await idOf(...changes)).toBe(await idOf());
  });

  it('have distinct ids if they are equal', async () => {
    const [one] = JSON.parse(text()).policies;
    const { records } = await importBytes(text({ policies: [one, one, one] }));
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
  });

  it.each<[string, unknown]>([
    ['absent', {}],
    ['null', { policy: null, summary: null, 'failure-details': null }],
    ['texts', { policy: 'x', summary: 'x', 'failure-details': 'x' }],
    [
      'unknown',
      {
        policy: { 'policy-type': 'dane', 'policy-string': 7 },
        summary: { 'total-failure-session-count': -1 },
      },
    ],
  ])('have empty fields if these are %s', async (_, entry) => {
    const { records, skipped } = await importBytes(
      text({ policies: [entry, null, 'x', []] }),
      {},
      { name: 'a' },
    );
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([
      {
        domain: '',
        policyType: '',
        successfulSessions: 0,
        failedSessions: 0,
        mxHosts: [],
        failureDetails: [],
      },
    ]);
    expect(records[0].raw).toBe(JSON.stringify(entry));
  });

  it('have no addresses if these are invalid', async () => {
    const details = {
      ...DETAIL,
      'sending-mta-ip': 'unknown',
      'receiving-ip': 'mx1',
      'failed-session-count': 'x',
    };
    const { records } = await importBytes(text({}, {}, {}, details));
    expect(records[0].failureDetails).toMatchObject([{ sendingMtaIp: '', receivingIp: '' }]);
  });

  it.each([
    [10_000, []],
    [10_001, ['file has too many records: over 10000 policies']],
  ])('are at most 10,000: %i', async (count, sentences) => {
    const { skipped } = await importBytes(text({ policies: Array(count).fill({}) }), {
      bounds: { growth: 100_000 },
      routes: undefined,
      accountId: undefined,
    });
    expect(skipped).toEqual(sentences);
  });

  it.each<[string, object, boolean]>([
    ['an organization', { 'organization-name': 'a' }, true],
    ['an id', { 'report-id': 'a' }, true],
    ['a time', { 'date-range': {} }, true],
    ['a contact only', { 'contact-info': 'a' }, false],
  ])('are recognized beside %s', async (_, beside, isReport) => {
    const { skipped } = await importBytes(JSON.stringify({ policies: [], ...beside }));
    expect(skipped).toEqual([`file ${isReport ? 'has no date range' : 'is not a known report'}`]);
  });

  it.each([
    ['<1@a.example>', '1@a.example'],
    ['<1', '1'],
    ['1>', '1'],
    ['<<1>>', '<1>'],
    ['1<2>3', '1<2>3'],
  ])('belong to the report %s, whose id is stored as %s', async (id, stored) => {
    expect((await importBytes(text({ 'report-id': id }))).records[0].reportId).toBe(stored);
  });
});

it('equal policies have ids of their own, however many others are between them', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `p${index}.example`);
  const policies = [...names, ...names].map(name => ({
    policy: { 'policy-domain': name, 'policy-type': 'sts' },
    summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
  }));
  const range = { 'start-datetime': time(0), 'end-datetime': time(86_399) };
  const { records } = await importBytes(JSON.stringify({ 'report-id': '1', 'date-range': range, policies }));
  expect(new Set(records.map(({ id }) => id)).size).toBe(100);
});
