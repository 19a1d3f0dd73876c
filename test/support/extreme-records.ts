import { createHash } from 'node:crypto';
import { BadLine } from '@sightline/feed/bad-line';
import type { Check } from '@sightline/feed/checks';
import { RECORDS } from '@sightline/feed/records';
import { REPORT_TYPES } from '@sightline/reports';
import { ALPHABETS, type Alphabet, BOUNDS, extreme } from './extremes.ts';
import {
  auditEvent,
  authorisation,
  certificate,
  finding,
  NOW,
  observation,
  personal,
  plan,
  policyFinding,
  report,
  savedPolicy,
  setup,
  THREAT_INTELLIGENCE,
  team,
  watch,
} from './fixtures.ts';
import type { Line } from './service.ts';

/** A line of each kind and variant, with all of its fields; those named beside it stay as they are here. */
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
    [authorisation(accountId, 'site', 'pattern', { hashes: [] })],
    [certificate(), 'pem', 'sha256'],
    [auditEvent(accountId, 'e')],
    [{ kind: 'usage', accountId, type: 'csp', date: NOW, filtered: 0, sampled: 0, rejected: 0 }],
    [
      { kind: 'usage', accountId, type: 'csp', date: NOW.slice(0, 10), filtered: 0, sampled: 0, rejected: 0 },
      'date',
    ],
  ];
}

/** Values that a field is tried with, the most first. */
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

/** The most that the check takes; what it stands for by itself where that is one of a few words. */
function mostOf(check: Check<unknown>, alphabet: Alphabet, path: string, otherwise: unknown): unknown {
  if (check.fields) {
    return Object.fromEntries(
      Object.entries(check.fields).map(([name, inner]) => [
        name,
        mostOf(inner, alphabet, `${path}.${name}`, (otherwise as Line | undefined)?.[name]),
      ]),
    );
  }
  if (check.item)
    return [
      mostOf(check.item, alphabet, path, undefined),
      mostOf(check.item, 'nothing that repeats', path, undefined),
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

/** A line with all fields that its variant has at their bounds. */
function atBounds([base, ...kept]: [Line, ...string[]], alphabet: Alphabet): Line {
  const { fields } = RECORDS[base.kind as keyof typeof RECORDS];
  const values = Object.entries(fields)
    .filter(([name]) => name in base && name !== 'accountId' && !kept.includes(name))
    .filter(([name]) => !(base.kind === 'account' && name === 'id'))
    .map(([name, check]) => [name, mostOf(check, alphabet, `${base.kind}.${name}`, base[name])]);
  return { ...base, ...Object.fromEntries(values) };
}

export const accountOf = (alphabet: Alphabet) =>
  extreme(alphabet, 254, `${Object.keys(ALPHABETS).indexOf(alphabet)}`);
export const linesOf = (alphabet: Alphabet): Line[] => [
  ...bases(accountOf(alphabet)).map(base => atBounds(base, alphabet)),
  observation(accountOf(alphabet)),
  ...REPORT_TYPES.map(type => report(accountOf(alphabet), type, extreme(alphabet, 255))),
];
