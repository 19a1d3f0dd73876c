import { describe, expect, it } from 'vitest';
import { reportOfDocument, toDocuments } from '../src/parsedmarc-search.ts';
import { beginsTable, findTable, listColumns, missingIn } from '../src/parsedmarc-tables.ts';

const DMARC = {
  org_name: 'Receiver',
  org_email: 'dmarc@receiver.example',
  report_id: '1',
  generator: 'Tool 1',
  date_begin: '2026-01-01 00:00:00',
  date_end: '2026-01-02 00:00:00',
  published_policy: { domain: 'shop.example', p: 'reject' },
  np: 'none',
  testing: 'y',
  discovery_method: 'psl',
  source_ip_address: '192.0.2.1',
  source_country: 'DE',
  source_reverse_dns: 'mail.shop.example',
  source_asn: 64_500,
  source_as_name: 'Network',
  source_name: 'Sender',
  message_count: 3,
  disposition: 'reject',
  dkim_aligned: true,
  spf_aligned: false,
  policy_overrides: [{ type: 'forwarded' }],
  header_from: 'shop.example',
  envelope_from: 'bounce.example',
  envelope_to: 'receiver.example',
  dkim_results: [{ domain: 'shop.example' }],
  spf_results: [{ domain: 'bounce.example' }],
};
const TLS = {
  organization_name: 'Receiver',
  org_name: 'Other',
  contact_info: 'tls@receiver.example',
  report_id: '1',
  date_begin: '2026-01-01 00:00:00',
  date_end: '2026-01-02 00:00:00',
  policies: [{ policy_string: ['a'] }, null, { policy_string: ['a'], policy_strings: ['b'] }],
};

describe('a document of a search engine', () => {
  it('becomes an aggregate report of one record', () => {
    expect(reportOfDocument(DMARC)).toEqual({
      report_metadata: {
        org_name: 'Receiver',
        org_email: 'dmarc@receiver.example',
        report_id: '1',
        generator: 'Tool 1',
        begin_date: '2026-01-01 00:00:00',
        end_date: '2026-01-02 00:00:00',
      },
      policy_published: {
        domain: 'shop.example',
        p: 'reject',
        np: 'none',
        testing: 'y',
        discovery_method: 'psl',
      },
      records: [
        {
          source: {
            ip_address: '192.0.2.1',
            country: 'DE',
            reverse_dns: 'mail.shop.example',
            asn: 64_500,
            as_name: 'Network',
          },
          count: 3,
          policy_evaluated: {
            disposition: 'reject',
            dkim: 'pass',
            spf: 'fail',
            policy_override_reasons: [{ type: 'forwarded' }],
          },
          identifiers: {
            header_from: 'shop.example',
            envelope_from: 'bounce.example',
            envelope_to: 'receiver.example',
          },
          auth_results: { dkim: [{ domain: 'shop.example' }], spf: [{ domain: 'bounce.example' }] },
        },
      ],
    });
  });

  it.each<[string, object, object]>([
    [
      'the policy itself before the document',
      { published_policy: { np: 'reject', testing: 'n' } },
      { policy_published: { np: 'reject', testing: 'n', discovery_method: 'psl' } },
    ],
    [
      'the name of the sender without one of the network',
      { source_as_name: '' },
      { records: [{ source: { as_name: 'Sender' } }] },
    ],
    [
      'results that are exactly true',
      { dkim_aligned: 'true', spf_aligned: true },
      { records: [{ policy_evaluated: { dkim: 'fail', spf: 'pass' } }] },
    ],
  ])('takes %s', (_, change, report) => {
    expect(reportOfDocument({ ...DMARC, ...change })).toMatchObject(report);
  });

  it('becomes an SMTP TLS report', () => {
    const report = {
      organization_name: 'Receiver',
      contact_info: 'tls@receiver.example',
      report_id: '1',
      begin_date: '2026-01-01 00:00:00',
      end_date: '2026-01-02 00:00:00',
      policies: [
        { policy_strings: ['a'], policy_string: ['a'] },
        { policy_strings: ['b'], policy_string: ['a'] },
      ],
    };
    expect(reportOfDocument(TLS)).toEqual(report);
    expect(reportOfDocument({ ...TLS, organization_name: '' })).toEqual({
      ...report,
      organization_name: 'Other',
    });
  });

  it.each([
    [{ ...DMARC, published_policy: 'x' }],
    [{ published_policy: {} }],
    [{ ...TLS, policies: {} }],
    [{ policies: [] }],
    [{}],
  ])('is no report: %j', document => {
    expect(reportOfDocument(document)).toBeUndefined();
  });

  it.each([
    [{ _source: { a: 1 } }, [{ a: 1 }]],
    [{ _source: { a: 1 }, hits: { hits: [] } }, [{ a: 1 }]],
    [
      { hits: { hits: [{ _source: { a: 1 } }, null, { b: 1 }, { _source: 'x' }] } },
      [{ a: 1 }, { b: 1 }, { _source: 'x' }],
    ],
    [{ hits: { hits: [] } }, []],
    [{ hits: { hits: {} } }, undefined],
    [{ hits: [] }, undefined],
    [{ _source: 'x' }, undefined],
  ])('is found in %j', (value, documents) => {
    expect(toDocuments(value)).toEqual(documents);
  });
});

describe('a table of parsedmarc', () => {
  it.each([
    ['org_name,report_id', 'aggregate'],
    [' report_id , x, org_name ', 'aggregate'],
    ['organization_name,report_id', 'tls'],
    ['feedback_type,arrival_date', 'failure'],
    ['org_name,x', undefined],
    ['report_id,x', undefined],
    ['organization_name,x', undefined],
    ['feedback_type,x', undefined],
    ['arrival_date,x', undefined],
  ])('with the columns "%s" is of the kind %s', (names, kind) => {
    expect(findTable(names.split(','))?.kind).toBe(kind);
    expect(beginsTable(`${names}\n1,2`)).toBe(kind !== undefined);
    expect(beginsTable(`"${names.split(',').join('","')}"\r\n`)).toBe(kind !== undefined);
    expect(beginsTable(`x,y\n${names}`)).toBe(false);
  });

  const AGGREGATE = ['org_name', 'report_id', 'begin_date', 'domain', 'source_ip_address', 'count'];
  const POLICIES = ['organization_name', 'report_id', 'begin_date', 'policy_domain', 'policy_type'];
  it.each([
    [AGGREGATE, AGGREGATE.slice(2)],
    [POLICIES, POLICIES.slice(2)],
    [['feedback_type', 'arrival_date'], []],
  ])('with %j needs the columns %j', (names, needed) => {
    expect(missingIn(findTable(names)!)).toEqual([]);
    for (const name of needed)
      expect(missingIn(findTable(names.filter(other => other !== name))!)).toEqual([name]);
  });

  const tableOf = (kind: 'aggregate' | 'tls', length: number) => ({
    kind,
    columns: Array.from({ length }, (_, index) => `${index}`),
  });
  const cells = (length: number) => Array<string>(length).fill('');

  it.each([
    ['aggregate', 10, [10, 35, 37, 38, 41, 44]],
    ['aggregate', 37, [37, 38, 41, 44]],
    ['aggregate', 50, [50]],
    ['tls', 10, [10]],
  ] as const)('of the kind %s with %i columns has rows of these lengths: %j', (kind, own, lengths) => {
    const table = tableOf(kind, own);
    const accepted: number[] = [];
    for (let length = 1; length <= 60; length++)
      try {
        expect(listColumns(table, cells(length))).toHaveLength(length);
        accepted.push(length);
      } catch (error) {
        expect((error as Error).message).toBe(
          `is a row with a different number of columns than the header: ${length} of ${own} cells`,
        );
      }
    expect(accepted).toEqual(lengths);
    expect(listColumns(table, cells(own))).toBe(table.columns);
  });

  it.each([
    [35, 19, { domain: 8, spf_results: 34 }],
    [37, 21, { source_name: 19, source_type: 20 }],
    [38, 22, { normalized_timespan: 7, errors: 8 }],
    [41, 25, { source_asn: 22, source_as_name: 23, p: 12, pct: 14 }],
    [44, 28, { np: 14, testing: 17, discovery_method: 18, source_asn: 25, envelope_to: 37 }],
  ])('has the columns of its version in a row of %i cells: the count is cell %i', (length, count, others) => {
    const columns = listColumns(tableOf('aggregate', 10), cells(length));
    const names = ['count', ...Object.keys(others)];
    expect(Object.fromEntries(names.map(name => [name, columns.indexOf(name)]))).toEqual({
      count,
      ...others,
    });
  });
});
