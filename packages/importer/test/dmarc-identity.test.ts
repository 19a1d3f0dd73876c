import { describe, expect, it } from 'vitest';
import { type AggregateReport, type AggregateRow, AggregateRows } from '../src/dmarc/aggregate.ts';
import { Ordinals } from '../src/ordinals.ts';

const BEGIN = Date.parse('2026-11-28T00:00:00Z');

const REPORT: AggregateReport = {
  reporter: 'Receiver.example',
  reporterEmail: 'DMARC@receiver.example',
  reportId: 'Report-1',
  generator: '',
  begin: BEGIN,
  end: BEGIN + 86_399_000,
  domain: 'Example.org',
  policy: {
    p: 'none',
    sp: '',
    np: '',
    adkim: 'r',
    aspf: 'r',
    fo: '',
    pct: 100,
    testing: '',
    discoveryMethod: '',
  },
};

const DKIM = { domain: 'example.org', selector: 's1', result: 'pass', humanResult: '' };
const SPF = { domain: 'bounce.example', scope: 'helo', result: 'pass', humanResult: '' };
const ROW: AggregateRow = {
  sourceIp: '2001:DB8::1',
  count: 3,
  disposition: 'quarantine',
  dkim: 'pass',
  spf: 'pass',
  headerFrom: 'Example.org',
  envelopeFrom: 'Bounce.example',
  envelopeTo: 'To.example',
  overrideReasons: [{ type: 'other', comment: 'said' }],
  dkimResults: [DKIM],
  spfResults: [SPF],
};

type Changes = Partial<AggregateReport> & Partial<AggregateRow>;

function read({ reporter, reporterEmail, reportId, begin, end, domain, ...row }: Changes = {}) {
  const given = { reporter, reporterEmail, reportId, begin, end, domain };
  const report = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new AggregateRows({ ...REPORT, ...report }).record({ ...ROW, ...row }, '');
}

describe('the id of a row of an aggregate report', () => {
  it.each<Changes>([
    { reporter: 'receiver.EXAMPLE' },
    { reporterEmail: 'dmarc@RECEIVER.example' },
    { domain: 'example.ORG' },
    { begin: BEGIN + 999 },
    { end: BEGIN },
    { sourceIp: '2001:db8:0::0001' },
    { disposition: 'Quarantine', dkim: 'PASS', spf: 'Pass' },
    { headerFrom: 'example.ORG' },
    { envelopeFrom: 'bounce.EXAMPLE' },
    { envelopeTo: 'to.EXAMPLE' },
    { dkimResults: [{ ...DKIM, domain: '' }, DKIM] },
    { spfResults: [SPF, { ...SPF, domain: '' }] },
    { dkimResults: [{ ...DKIM, result: 'Pass', selector: 'S1', humanResult: 'good' }] },
    { spfResults: [{ ...SPF, result: 'PASS', scope: 'HELO', humanResult: 'good' }] },
  ])('is the same with %j', changes => {
    expect(read(changes).id).toBe(read().id);
  });

  it.each<Changes>([
    { reporter: 'mail.receiver.example' },
    { reporterEmail: 'reports@receiver.example' },
    { reportId: 'report-1' },
    { domain: 'www.example.org' },
    { begin: BEGIN + 1000 },
    { begin: BEGIN - 1 },
    { sourceIp: '2001:db8::2' },
    { count: 4 },
    { disposition: 'reject' },
    { dkim: 'fail' },
    { spf: 'fail' },
    { headerFrom: 'mail.example.org' },
    { envelopeFrom: 'other.example' },
    { envelopeTo: '' },
    { overrideReasons: [] },
    { overrideReasons: [{ type: 'forwarded', comment: 'said' }] },
    { overrideReasons: [{ type: 'other', comment: 'Said' }] },
    { dkimResults: [DKIM, DKIM] },
    { dkimResults: [{ ...DKIM, domain: 'other.example' }] },
    { dkimResults: [{ ...DKIM, selector: 's2' }] },
    { dkimResults: [{ ...DKIM, result: 'fail' }] },
    { spfResults: [] },
    { spfResults: [{ ...SPF, domain: 'other.example' }] },
    { spfResults: [{ ...SPF, scope: '' }] },
    { spfResults: [{ ...SPF, result: 'fail' }] },
  ])('is another one with %j', changes => {
    expect(read(changes).id).not.toBe(read().id);
  });

  it.each<[Changes, Changes]>([
    [{ disposition: '' }, { disposition: 'None' }],
    [{ dkim: '' }, { dkim: 'Fail' }],
    [{ spf: '' }, { spf: 'fail' }],
    [{ dkimResults: [{ ...DKIM, selector: '' }] }, { dkimResults: [{ ...DKIM, selector: 'none' }] }],
    [{ dkimResults: [{ ...DKIM, result: '' }] }, { dkimResults: [{ ...DKIM, result: 'none' }] }],
    [{ spfResults: [{ ...SPF, scope: '' }] }, { spfResults: [{ ...SPF, scope: 'mfrom' }] }],
    [{ spfResults: [{ ...SPF, result: '' }] }, { spfResults: [{ ...SPF, result: 'None' }] }],
  ])('is the same with %j and %j', (unsaid, said) => {
    expect(read(unsaid).id).toBe(read(said).id);
  });

  it('distinguishes equal rows of a report, also of reports in turns', () => {
    const apart = [new AggregateRows(REPORT), new AggregateRows({ ...REPORT, reportId: '2' })];
    const expected = [...apart, ...apart].map(rows => rows.record(ROW, '').id);
    expect(new Set(expected).size).toBe(4);
    const ordinals = new Ordinals(100);
    const shared = [
      new AggregateRows(REPORT, ordinals),
      new AggregateRows({ ...REPORT, reportId: '2' }, ordinals),
    ];
    expect([...shared, ...shared].map(rows => rows.record(ROW, '').id)).toEqual(expected);
  });
});

describe('the id of a row in exports of parsedmarc', () => {
  it.each<[Changes, Changes]>([
    [{ reporter: 'a.mail.receiver.example' }, { reporter: 'receiver.example' }],
    [{ reportId: 'Report-1@a@b' }, { reportId: 'Report-1' }],
    [
      { reporter: 'Mail.Receiver.Example', reportId: '1@2' },
      { reporter: 'receiver.example', reportId: '1' },
    ],
    [
      { reporter: 'The team.of mail.example', reportId: '1@2' },
      { reporter: 'The team.of mail.example', reportId: '1' },
    ],
  ])('of %j is that of %j', (changes, exported) => {
    expect(read(changes).copyId).toBe(read(exported).id);
    expect(read(exported).copyId).toBeUndefined();
  });
});

it.each([
  ['pass', 'pass', true],
  ['fail', 'pass', true],
  ['pass', '', true],
  ['fail', 'fail', false],
  ['', 'unknown', false],
])('a row with DKIM %j and SPF %j is aligned: %j', (dkim, spf, aligned) => {
  expect(read({ dkim, spf }).fields).toMatchObject({ aligned });
});

it('an aggregate report can have no end, but not no beginning', () => {
  const { end, ...endless } = REPORT;
  const { fields } = new AggregateRows({ ...endless, end: undefined }).record(ROW, '');
  expect(fields).toMatchObject({ beginDate: '2026-11-28T00:00:00.000Z', endDate: null });
  expect(read().fields).toMatchObject({ endDate: '2026-11-28T23:59:59.000Z' });
  expect(() => new AggregateRows({ ...REPORT, begin: undefined })).toThrow('has no date range');
});
