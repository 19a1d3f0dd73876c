import { expect, it } from 'vitest';
import { groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import type { FoundLine } from '../src/finding.ts';
import { FoundReports, type ImportedReport, identify } from '../src/reports.ts';
import { BudgetExceeded, ResourceBudget } from '../src/resource-budget.ts';
import { Routes } from '../src/routes.ts';

const DATE = Date.UTC(2026, 10, 20);
const NOW = new Date('2026-11-21T12:00:00Z');
const ROUTES = new Routes([
  ['acme.example', 'acme'],
  ['shop.acme.example', 'shop'],
  ['other.example', 'other'],
]);

const toReport = (type: ImportedReport['type'], fields: object): ImportedReport => ({
  type,
  id: identify('test', type),
  date: DATE,
  fields: fields as Record<string, unknown>,
  raw: '{}',
});
const dmarc = (domain: string, headerFrom: string) =>
  toReport('dmarc', {
    domain,
    headerFrom,
    reporter: 'r.example',
    reportId: 'r',
    sourceIp: '192.0.2.1',
    count: 1,
    aligned: false,
  });

const HOSTS = [
  'acme.example',
  'shop.acme.example',
  'ACME.example.',
  'x.other.example',
  'notacme.example',
  '',
];

/** Lists the accounts of the lines, or what is found instead. */
function describeAccounts(report: ImportedReport, accountId?: string): string {
  const found = new FoundReports({ accountId, routes: ROUTES }, NOW).line(report);
  if (found.kind === 'unrouted') return `of no account: ${found.domain || 'no domain'}`;
  return found.text
    .split('\n')
    .map(line => JSON.parse(line).accountId)
    .join(' ');
}

it('reports belong to the accounts of their hosts', async () => {
  const outcomes: Outcome[] = [];
  for (const host of HOSTS) {
    for (const address of [`https://${host}/p?q`, `https://user@${host}:8443/`, `${host}`, `data:${host}`]) {
      for (const [type, fields] of [
        ['csp', { uri: address, directive: 'img-src', blockedUri: '', policy: '', action: 'enforced' }],
        ['crash', { uri: address }],
        ['other', { uri: address, wireType: 'x' }],
      ] as const)
        outcomes.push([`${type} ${address}`, describeAccounts(toReport(type, fields))]);
    }
    outcomes.push([`tls_rpt ${host}`, describeAccounts(toReport('tls_rpt', { domain: host }))]);
    for (const from of [host, `shop.${host}`, `x${host}`, 'other.example', ''])
      outcomes.push([`dmarc ${host} from ${from}`, describeAccounts(dmarc(host, from))]);
  }
  const names = [
    ['a.acme.example', 'other.example'],
    ['*.shop.acme.example', 'acme.example'],
    ['x.example'],
    [],
  ];
  for (const hostnames of names) {
    const report = toReport('certificate_transparency', { hostnames });
    outcomes.push([`certificate ${hostnames.join()}`, describeAccounts(report)]);
    outcomes.push([`certificate ${hostnames.join()}, with an account`, describeAccounts(report, 'own')]);
  }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/accounts.txt');
});

it('a report of no route belongs to the given account, or to none', () => {
  const report = dmarc('x.example', 'x.example');
  const accounts = (options: ConstructorParameters<typeof FoundReports>[0]) => {
    const found = new FoundReports(options, NOW).line(report);
    return found.kind === 'line' ? JSON.parse(found.text).accountId : found;
  };
  const unrouted = { kind: 'unrouted', domain: 'x.example' };
  expect(accounts({})).toEqual(unrouted);
  expect(accounts({ routes: ROUTES })).toEqual(unrouted);
  expect(accounts({ routes: ROUTES, accountId: 'own' })).toBe('own');
  expect(accounts({ accountId: 'own' })).toBe('own');
});

it('the copy of a report is removed for each account before the report is stored', () => {
  const report = toReport('certificate_transparency', { hostnames: ['acme.example', 'other.example'] });
  const found = new FoundReports({ routes: ROUTES }, NOW).line({ ...report, copyId: 'copy' }, true);
  const lines = found.kind === 'line' ? found.text.split('\n').map(line => JSON.parse(line)) : [];
  const removal = { kind: 'report', type: report.type, id: 'copy', deleted: true };
  expect(lines.slice(0, 2)).toEqual([
    { ...removal, accountId: 'other' },
    { ...removal, accountId: 'acme' },
  ]);
  expect(lines.slice(2).map(({ id, accountId, deleted }) => [id, accountId, deleted])).toEqual([
    [report.id, 'acme', undefined],
    [report.id, 'other', undefined],
  ]);
});

it('a report is refused by the age at the time of the import, also within the budget of a file', () => {
  const day = 86_400_000;
  const reports = new FoundReports({ accountId: 'own' }, NOW).withBudget(new ResourceBudget(DEFAULT_BOUNDS));
  const tries = [
    NOW.getTime() + day,
    NOW.getTime() + 2 * day,
    Date.UTC(2016, 10, 21),
    Date.UTC(2016, 10, 21) - 1,
    Number.NaN,
  ];
  const outcomes = tries.map(date => {
    try {
      return reports.line({ ...dmarc('x.example', 'x.example'), date }).kind;
    } catch (error) {
      const { reason, rejected } = error as { reason: string; rejected: object };
      return [reason, rejected];
    }
  });
  const rejected = { type: 'dmarc', id: identify('test', 'dmarc'), accounts: ['own'] };
  const refused = ['is refused by the feed', rejected];
  expect(outcomes).toEqual(['line', refused, 'line', refused, ['has no valid date', rejected]]);
});

it('the lines of all accounts count for the budget, also those of no account', () => {
  const budget = () => new ResourceBudget({ ...DEFAULT_BOUNDS, growth: 0 });
  const count = (reports: FoundReports, report: ImportedReport) => {
    for (let number = 0; ; number++) {
      try {
        reports.line(report);
      } catch (error) {
        expect(error).toBeInstanceOf(BudgetExceeded);
        return number;
      }
    }
  };
  const raw = 'x'.repeat(20_000);
  const routed = new FoundReports({ routes: ROUTES }, NOW);
  const two = toReport('certificate_transparency', { hostnames: ['acme.example', 'other.example'] });
  const none = toReport('certificate_transparency', { hostnames: ['x.example'] });
  const found = routed.line({ ...two, raw }) as FoundLine;
  expect(found.text.split('\n')).toHaveLength(2);
  expect(count(routed.withBudget(budget()), { ...two, raw })).toBe(Math.floor(4e6 / found.text.length));
  expect(count(routed.withBudget(budget()), none)).toBe(2500);
});

it('texts that cannot be stored are replaced, and long ones are cut', () => {
  const reports = new FoundReports({ accountId: 'own' }, NOW);
  const store = (raw: string, reporter = 'r.example') => {
    const report = dmarc('x.example', 'x.example');
    const fields = { ...report.fields, reporter };
    const { text, isCut } = reports.line({ ...report, fields, raw }) as FoundLine;
    return { ...(JSON.parse(text) as { raw: string; reporter: string }), isCut };
  };
  expect(store('a\0b\ud800', 'c\0\udc00d')).toMatchObject({
    raw: 'a\u{fffd}b\u{fffd}',
    reporter: 'c\u{fffd}\u{fffd}d',
    isCut: false,
  });
  const most = 64 * 1024;
  expect(store('é'.repeat(most / 2)).raw).toBe('é'.repeat(most / 2));
  const { raw, isCut } = store(`${'é'.repeat(most / 2)}x`);
  expect([raw, isCut]).toEqual([`${'é'.repeat((most - 8) / 2 - 1)}… [cut]`, false]);
  expect(store('', 'x'.repeat(100_000))).toMatchObject({ isCut: true });
});
