import { createHash } from 'node:crypto';
import type { Check } from '@sightline/feed';
import { BadLine, RECORDS, readLine } from '@sightline/feed';
import { REPORT_TYPES, type ReportField } from '@sightline/reports';
import { ALPHABETS, type Alphabet, BOUNDS, extreme } from './extremes.ts';
import {
  auditEvent,
  certificate,
  finding,
  NOW,
  observation,
  personal,
  plan,
  policyFinding,
  report,
  savedPolicy,
  scriptVerdict,
  setup,
  THREAT_INTELLIGENCE,
  team,
  verdict,
  watch,
} from './fixtures.ts';
import type { Line } from './service.ts';

/** A line of each kind and variant with all of its fields. The named fields must not be changed. */
export function bases(accountId: string): [Line, ...string[]][] {
  const dates = { createdAt: NOW };
  return [
    [personal(accountId, dates), 'createdAt'],
    [team(`${accountId}t`, dates), 'createdAt'],
    [
      {
        kind: 'apiKey',
        accountId,
        id: 'k',
        sha256: '',
        name: 'n',
        createdAt: NOW,
        expiresAt: NOW,
        revokedAt: NOW,
      },
    ],
    [plan(accountId, {}, THREAT_INTELLIGENCE)],
    [plan(`${accountId}t`, {}, THREAT_INTELLIGENCE), 'accountId'],
    [setup(accountId)],
    [
      {
        kind: 'filters',
        accountId,
        global: {},
        advanced: {},
        certificateTransparency: {},
        samplingRates: {},
      },
    ],
    [savedPolicy(accountId, 'p', 'name')],
    [{ kind: 'wizard', accountId, active: true, policy: '' }],
    ...['script', 'data', 'frame', 'policy'].map((product): [Line] => [
      watch(accountId, product, 'site', { webhookTarget: '', findingsFromReports: false }),
    ]),
    ...['script', 'data', 'frame'].map((product): [Line] => [finding(accountId, product, 'site', 'uri')]),
    [policyFinding(accountId, 'site', 'policy')],
    [scriptVerdict(accountId, 'site', 'pattern', { hashes: [], expiresAt: NOW })],
    [verdict(accountId, 'insight', 'id', { count: 1 }), 'subjectKind', 'verdict'],
    [certificate(), 'pem', 'sha256'],
    [auditEvent(accountId, 'e')],
    [{ kind: 'usage', accountId, type: 'csp', date: NOW, filtered: 0, sampled: 0, rejected: 0 }],
    [
      { kind: 'usage', accountId, type: 'csp', date: NOW.slice(0, 10), filtered: 0, sampled: 0, rejected: 0 },
      'date',
    ],
  ];
}

/** Values to try in a field, the strongest first. */
function candidates(alphabet: Alphabet, path: string): unknown[] {
  return [
    ...BOUNDS.map(bytes => extreme(alphabet, bytes)),
    Number.MAX_SAFE_INTEGER,
    3660,
    100,
    true,
    '2200-12-31T23:59:59.999999Z',
    '2200-12-31',
    createHash('sha256').update(alphabet).update(path).digest('hex'),
  ];
}

/** Returns the largest value that passes the check. */
function findLargest(check: Check<unknown>, alphabet: Alphabet, path: string, otherwise: unknown): unknown {
  if (check.fields) {
    return Object.fromEntries(
      Object.entries(check.fields).map(([name, inner]) => [
        name,
        findLargest(inner, alphabet, `${path}.${name}`, (otherwise as Line | undefined)?.[name]),
      ]),
    );
  }
  if (check.item)
    return [
      findLargest(check.item, alphabet, path, undefined),
      findLargest(check.item, 'nothing that repeats', path, undefined),
    ];
  const most = candidates(alphabet, path).find(value => isTaken(() => check(value, path)));
  if (most === undefined && otherwise === undefined)
    throw new Error(
      `no text or number fits ${path}: give bases() in test/support/extreme-records.ts a value`,
    );
  return most ?? otherwise;
}

function isTaken(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof BadLine) return false;
    throw error;
  }
}

/** A line with all fields of its variant at their limits. */
function atBounds([base, ...kept]: [Line, ...string[]], alphabet: Alphabet): Line {
  const { fields } = RECORDS[base.kind as keyof typeof RECORDS];
  const values = Object.entries(fields)
    .filter(([name]) => name in base && name !== 'accountId' && !kept.includes(name))
    .filter(([name]) => !(base.kind === 'account' && name === 'id'))
    .map(([name, check]) => [name, findLargest(check, alphabet, `${base.kind}.${name}`, base[name])]);
  return { ...base, ...Object.fromEntries(values) };
}

export const getAccount = (alphabet: Alphabet) =>
  extreme(alphabet, 254, `${Object.keys(ALPHABETS).indexOf(alphabet)}`);
export const toLines = (alphabet: Alphabet): Line[] => [
  ...bases(getAccount(alphabet)).map(base => atBounds(base, alphabet)),
  observation(getAccount(alphabet)),
  ...REPORT_TYPES.map(type => report(getAccount(alphabet), type, extreme(alphabet, 255))),
];

/** Text that fills up an index entry, different for each mark. */
const noise = (bytes: number, mark = '') => extreme('nothing that repeats', bytes, mark);

/** Values at the limits of each kind of field, some of which the feed refuses. */
function listValues(
  { kind, values, fields = [] }: ReportField,
  alphabets: readonly Alphabet[],
  bounds: readonly number[],
): unknown[] {
  const objects = (bytes: number) =>
    Object.fromEntries(
      fields.map(field => [field.name, field.kind === 'text' && !field.values ? noise(bytes) : null]),
    );
  switch (kind) {
    case 'text':
      return values
        ? [values.at(-1), '']
        : alphabets.flatMap(alphabet => bounds.map(bytes => extreme(alphabet, bytes)));
    case 'texts':
      return bounds.map(bytes =>
        Array.from({ length: Math.floor((0.9 * bounds[0]!) / bytes) }, (_, index) =>
          noise(bytes, `${index}`),
        ),
      );
    case 'objects':
      return [[objects(255)], Array.from({ length: 1000 }, () => ({}))];
    case 'object':
      return [objects(255), {}];
    case 'integer':
      return [Number.MAX_SAFE_INTEGER, 1_000_000_000, 100, 0];
    default:
      return [];
  }
}

/**
 * Reports with the longest accepted value of each field.
 * @param bounds text sizes in bytes, the largest first
 */
export function longestReports(
  account: string,
  type: string,
  fields: readonly ReportField[],
  alphabets: readonly Alphabet[],
  date: string,
  bounds: readonly number[] = BOUNDS,
): Line[] {
  return fields
    .filter(({ name, column }) => name !== 'date' && column !== 'count')
    .flatMap(field => {
      const taken: Line[] = [];
      for (const [index, value] of listValues(field, alphabets, bounds).entries()) {
        const id = `${field.name} ${index}`;
        const line = {
          ...report(account, type, id, { date: new Date().toISOString() }),
          [field.name]: value,
        };
        if (isTaken(() => readLine(JSON.stringify(line)))) taken.push(line);
        if (taken.length === 2 * alphabets.length) break;
      }
      return taken;
    })
    .map(line => ({ ...line, date }));
}
