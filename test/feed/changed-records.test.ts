import { createHash } from 'node:crypto';
import { BadLine, type FeedRecord, RECORDS, type RecordKind, readLine } from '@sightline/feed';
import { REPORT_COLUMNS, REPORT_TYPE_DEFINITIONS, type ReportField } from '@sightline/reports';
import { expect, it } from 'vitest';
import { groupBy } from '../../schema/insights/group-by.ts';
import { changeJson } from '../support/changed-inputs.ts';
import { groupByPlace, type Outcome } from '../support/group-outcomes.ts';
import {
  account,
  apiKey,
  auditEvent,
  CERTIFICATE,
  finding,
  type Line,
  plan,
  report,
  watch,
} from './lines.ts';

/** Records what the feed stores, or why it refuses a line, for each change of each valid line. */

const DAYS = { first: '2016-12-31', last: '2027-01-01' };

const read = (line: unknown) => readLine(JSON.stringify(line), DAYS);

/** Describes the difference of two rows. @param of cells of the unchanged line, by column */
function compareCells(of: ReadonlyMap<string, string>, cells: ReadonlyMap<string, string>): string {
  const changed = [...cells].filter(([name, value]) => of.get(name) !== value);
  return changed.length === 0
    ? 'is stored unchanged'
    : changed.map(([name, value]) => `${name}=${fromDifference(of.get(name)!, value)}`).join(' ');
}

/** Shows a long cell from where it differs. */
function fromDifference(of: string, value: string): string {
  if (value.length <= 50) return value;
  const at = [...value].findIndex((sign, index) => sign !== of[index]);
  const start = Math.max(0, (at < 0 ? value.length : at) - 12);
  return `…${value.slice(start, start + 30)}… (${value.length} characters)`;
}

function refusalOr(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadLine) return `${error.field} ${error.message}`.trim();
    throw error;
  }
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 40)}…(${text.length})` : text);

const toCells = ({ kind, row }: FeedRecord) =>
  new Map(
    [...RECORDS[kind].table.columns, 'deleted'].map((name, index) => [
      name,
      row.trimEnd().split('\t')[index]!,
    ]),
  );

const SECOND = '2026-05-10T12:00:00.123456+02:00';

const verdict = (subjectKind: string, rest: Line = {}): Line => ({
  kind: 'verdict',
  accountId: 'a',
  subjectKind,
  subject: 'subject',
  verdict: 'accepted',
  reason: 'because',
  decidedBy: 'u1',
  decidedAt: SECOND,
  expiresAt: SECOND,
  ...rest,
});

/** Values to try in each field. Reports have many fields, so fewer are tried. */
const FOR_RECORDS = [null, true, 0, -1, 1.5, 2 ** 53, '', 'é', [], {}, { x: 1 }];
const FOR_REPORTS = [null, true, 2, -1, 1.5, '', 'É', [], { x: 1 }];

/** A valid line of each kind and variant with all of its fields. */
const LINES: Readonly<Record<string, Line>> = {
  'a personal account': account('a'),
  'a team': account('t', {
    type: 'team',
    email: null,
    teamName: 'T',
    quotaLimit: 7,
    require2fa: true,
    members: [{ email: 'o@example.org', role: 'owner' }],
  }),
  'an API key': apiKey('b', 'a', { name: 'n', expiresAt: SECOND, revokedAt: SECOND }),
  'a plan': plan('a'),
  'a setup': {
    kind: 'setup',
    accountId: 'a',
    reportUri: { enforce: 'e', reportOnly: 'r', wizard: 'w' },
    reportingApi: { group: 'g', max_age: 60, endpoints: [{ url: 'u' }], include_subdomains: true },
    nel: { report_to: 'g', max_age: 60, include_subdomains: true },
    dmarc: 'd@example.org',
    tlsRpt: 't@example.org',
  },
  filters: {
    kind: 'filters',
    accountId: 'a',
    global: {
      sites: ['a.example'],
      removeReferrer: true,
      removeQueryString: true,
      minimumClientReputation: 3,
    },
    advanced: {
      browserExtensions: true,
      unactionableReports: true,
      inlineEval: true,
      blockedHosts: ['b.example'],
      blockedSchemes: ['data:'],
      pagePaths: ['/p'],
    },
    certificateTransparency: { ignoredHostnames: ['i'], ignoredIssuers: ['CA'], ignorePrecertificates: true },
    samplingRates: { csp: 50, wizard: 100 },
  },
  'a policy': { kind: 'policy', accountId: 'a', id: 'p', name: 'Policy', policy: "default-src 'self'" },
  'a wizard': { kind: 'wizard', accountId: 'a', active: true, policy: "default-src 'self'" },
  'a watch': watch('a', { webhookTarget: 'https://hooks.example/', findingsFromReports: true }),
  'a finding': finding('a'),
  'a policy finding': finding('a', {
    product: 'policy',
    uri: null,
    policy: 'p',
    source: null,
    enforced: true,
  }),
  'a verdict on a script': verdict('script', { site: 'WWW.example.org.', owner: 'o', hashes: ['h'] }),
  'a verdict on a blocked source': verdict('blockedSource', { site: 'example.org' }),
  'a verdict on a sender': verdict('sender', { verdict: 'forwarder' }),
  'a verdict on an issuer': verdict('issuer'),
  'a verdict on an insight': verdict('insight', { count: 3 }),
  'a certificate': { kind: 'certificate', ...CERTIFICATE },
  'an audit event': auditEvent('e', 'a', { requestIp: '192.0.2.1' }),
  usage: {
    kind: 'usage',
    accountId: 'a',
    type: 'csp',
    date: '2026-05-10',
    filtered: 1,
    sampled: 2,
    rejected: 3,
  },
};

function* listOutcomes(
  line: Line,
  describe: (line: unknown) => string,
  replacements: Parameters<typeof changeJson>[1],
): Generator<Outcome> {
  const json = line as Parameters<typeof changeJson>[0];
  for (const { change, input } of changeJson(json, replacements)) {
    if (!change.startsWith('kind: ')) yield [change, refusalOr(() => describe(input))];
  }
}

it('every change of a record is stored or refused as recorded', async () => {
  let text = '';
  for (const [name, line] of Object.entries(LINES)) {
    const valid = read(line) as FeedRecord;
    const cells = toCells(valid);
    const describe = (changed: unknown) => {
      const record = read(changed) as FeedRecord;
      const owner = record.accountId === valid.accountId ? '' : `of ${record.accountId}: `;
      return owner + compareCells(cells, toCells(record));
    };
    text += `${name}\n  ${[...cells].map(([column, cell]) => `${column}=${short(cell)}`).join(' ')}\n`;
    text += `${groupByPlace(listOutcomes(line, describe, FOR_RECORDS))}\n`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/changed-records.txt');
});

it('the deletion of each record needs only its key, as recorded', async () => {
  let text = '';
  for (const [name, line] of Object.entries(LINES)) {
    const describe = (rest: Line) =>
      refusalOr(() => {
        const record = read({ ...rest, deleted: true }) as FeedRecord;
        return `key=${short(record.key).replaceAll('\t', '|')} account=${record.accountId} row=${createHash('sha1').update(record.row).digest('hex').slice(0, 8)}`;
      });
    const whole = describe(line);
    text += `${name}\n  ${whole}\n`;
    for (const key of Object.keys(line)) {
      const outcome = describe(Object.fromEntries(Object.entries(line).filter(([other]) => other !== key)));
      if (outcome !== whole) text += `  without ${key}: ${outcome}\n`;
    }
    const only = ['kind', ...keyOf(line)].map(field => [field, line[field]]);
    text += `  only ${keyOf(line)}: ${describe(Object.fromEntries(only))}\n\n`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/deleted-records.txt');
});

const KEYS: Partial<Record<string, string[]>> = {
  watch: ['accountId', 'product', 'site'],
  finding: ['accountId', 'product', 'site', 'uri', 'policy'],
  verdict: ['accountId', 'subjectKind', 'site', 'subject'],
  certificate: ['sha256'],
  usage: ['accountId', 'type', 'date'],
  account: ['id'],
  apiKey: ['id'],
  policy: ['accountId', 'id'],
  auditEvent: ['accountId', 'id'],
};
const keyOf = (line: Line) => KEYS[line.kind as RecordKind] ?? ['accountId'];

/** Returns a value that a field of a report accepts. */
function createSample({ name, kind, values, fields = [] }: ReportField): unknown {
  switch (kind) {
    case 'text':
      return values?.[0] ?? (/uri|url/i.test(name) ? 'https://www.a.example/p?q' : name.toLowerCase());
    case 'texts':
      return ['b.example'];
    case 'integer':
      return 3;
    case 'number':
      return 0.5;
    case 'timestamp':
      return SECOND;
    case 'date':
      return '2026-05-10';
    case 'boolean':
      return true;
    case 'flag':
      return 1;
    case 'object':
      return Object.fromEntries(fields.map(field => [field.name, createSample(field)]));
    case 'objects':
      return [Object.fromEntries(fields.map(field => [field.name, createSample(field)]))];
  }
}

/** Shows the bytes of a cell: as text where they are printable. */
function show(cell: string | undefined): string {
  if (cell === undefined) return 'null';
  // The binary form of JSON begins with its version.
  const text = cell.startsWith('\u0001') ? cell.slice(1) : cell;
  return /^[ -~]*$/.test(text) ? JSON.stringify(text) : Buffer.from(cell, 'latin1').toString('hex');
}

it('every change of a report is stored or refused as recorded', async () => {
  /** The types with the same outcomes of a field. */
  const types = new Map<string, string[]>();
  let text = '';
  for (const { type, fields, filterOnly } of REPORT_TYPE_DEFINITIONS) {
    const given = [...fields, ...filterOnly].filter(({ name, computed }) => name !== 'id' && !computed);
    const line = report('r', {
      type,
      ...Object.fromEntries(given.map(field => [field.name, createSample(field)])),
    });
    const toCellsOf = (changed: unknown) => {
      const found = read(changed);
      if (found.kind !== 'report') throw new Error('not a report');
      const cells = REPORT_COLUMNS.map((name, index): [string, string] => [
        name,
        show(found.row.cells[index]),
      ]);
      const extra = [`staged ${found.row.staged} ${found.row.alreadyStaged}`, `month ${found.month}`];
      return new Map([...cells, ['also', extra.join()] as [string, string]]);
    };
    const cells = toCellsOf(line);
    text += `${type}\n${[...cells].map(([column, cell]) => `  ${column}=${cell}\n`).join('')}\n`;
    const all = listOutcomes(line, changed => compareCells(cells, toCellsOf(changed)), FOR_REPORTS);
    for (const [field, outcomes] of groupBy([...all], ([change]) => /^\w+/.exec(change)?.[0] ?? '')) {
      if (field === 'type') continue;
      const block = `${field}\n${groupByPlace(outcomes)}`;
      types.set(block, [...(types.get(block) ?? []), type]);
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/whole-reports.txt');
  const blocks = [...types].map(([block, names]) => `${names.join(', ')}: ${block}\n`);
  await expect(blocks.join('')).toMatchFileSnapshot('./recorded/changed-reports.txt');
});
