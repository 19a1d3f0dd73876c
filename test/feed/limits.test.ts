import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BadLine, RECORDS, readLine, type TextBounds, textBounds, understand } from '@sightline/feed';
import { RereadableSource, readLines } from '@sightline/feed/read';
import { REPORT_TYPE_DEFINITIONS } from '@sightline/reports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { groupOutcomes, type Outcome } from '../support/group-outcomes.ts';
import { until } from '../support/until.ts';
import { auditEvent, type Line, report, watch } from './lines.ts';

const DAYS = { first: '2016-12-31', last: '2027-01-01' };

const refusal = (line: unknown): string => {
  try {
    readLine(typeof line === 'string' ? line : JSON.stringify(line), DAYS);
    return 'accepted';
  } catch (error) {
    if (error instanceof BadLine) return `${error.field} ${error.message}`.trim();
    throw error;
  }
};

/** Lists the size of each text, including those in lists and objects. */
function listBounds(bounds: TextBounds, path: string): [place: string, most: number][] {
  const { most, item, fields = {} } = bounds;
  return [
    ...(most === undefined ? [] : [[path, most] as [string, number]]),
    ...(item ? listBounds(item, `${path}[]`) : []),
    ...Object.entries(fields).flatMap(([name, of]) => listBounds(of, path === '' ? name : `${path}.${name}`)),
  ];
}

it('the texts of each field have the recorded maximum sizes', async () => {
  const records = Object.entries(RECORDS).flatMap(([kind, { fields }]) =>
    listBounds({ fields }, '').map(([place, most]): Outcome => [`${kind} ${place}`, `${most} bytes`]),
  );
  const reports = REPORT_TYPE_DEFINITIONS.flatMap(({ type }) =>
    listBounds(textBounds(type), '').map(([place, most]): Outcome => [`${type} ${place}`, `${most} bytes`]),
  );
  await expect(`${groupOutcomes(records)}\n${groupOutcomes(reports)}`).toMatchFileSnapshot(
    './recorded/sizes.txt',
  );
});

describe('a text', () => {
  it.each([
    ['directive', 1024],
    ['policyId', 255],
    ['message', 65_536],
  ])('in %s of up to %i bytes of UTF-8 is accepted', (name, most) => {
    const type = name === 'message' ? 'deprecation' : 'csp';
    const withText = (text: string) => report('r', { type, [name]: text });
    const euros = '€'.repeat(Math.floor(most / 3));
    const whole = euros + 'x'.repeat(most - 3 * euros.length);
    expect([whole, 'x'.repeat(most)].map(text => refusal(withText(text)))).toEqual(['accepted', 'accepted']);
    const reason = `${name} must not be longer than ${most} bytes`;
    expect(
      [`${whole}x`, 'x'.repeat(most + 1), `${whole.slice(1)}€x`].map(text => refusal(withText(text))),
    ).toEqual(Array(3).fill(reason));
  });

  it('in a list is accepted and refused by its place', () => {
    const withHosts = (policyIocHosts: string[]) => refusal(report('r', { policyIocHosts }));
    expect(withHosts(['a', 'x'.repeat(255)])).toBe('accepted');
    expect(withHosts(['a', 'x'.repeat(256)])).toBe('policyIocHosts[1] must not be longer than 255 bytes');
  });
});

it('numbers, lists and objects have the limits of their fields', () => {
  const dmarc = (more: Line) => refusal(report('r', { type: 'dmarc', aligned: true, ...more }));
  const csp = (more: Line) => refusal(report('r', more));
  const reasons = (count: number) => ({ overrideReasons: Array(count).fill({ type: 'x' }) });
  expect([dmarc(reasons(1000)), dmarc(reasons(1001))]).toEqual([
    'accepted',
    'overrideReasons must not have more than 1000 items',
  ]);
  expect(dmarc({ publishedPolicy: { p: 'none', pct: 2 ** 53 - 1 } })).toBe('accepted');
  expect(dmarc({ publishedPolicy: { pct: 2 ** 53 } })).toBe(
    'publishedPolicy.pct must be an integer from 0 to 2^53-1',
  );
  expect(dmarc({ publishedPolicy: { q: 'none' } })).toBe(
    'publishedPolicy.q is not a field of publishedPolicy',
  );
  expect([0, 1e9, 1e9 + 1].map(count => csp({ count }))).toEqual([
    'accepted',
    'accepted',
    'count must be an integer from 0 to 1000000000',
  ]);
  expect([0, 100, 101, -1].map(domainReputationScore => csp({ domainReputationScore }))).toEqual([
    'accepted',
    'accepted',
    ...Array(2).fill('domainReputationScore must be an integer from 0 to 100'),
  ]);
  const infinite = JSON.stringify(report('r', { samplingRate: 7 })).replace('7}', '1e999}');
  expect(refusal(infinite)).toBe('samplingRate must be a number');
});

it('times are in the years 1970 to 2200 in UTC', () => {
  const at = (timestamp: string) => refusal(auditEvent('e', 'a', { timestamp }));
  const within = [
    ...['1970-01-01T00:00:00Z', '1969-12-31T23:30:00-01:00'],
    ...['2200-12-31T23:59:59.999999Z', '2201-01-01T00:30:00+01:00'],
  ];
  const outside = ['1969-12-31T23:59:59Z', '1970-01-01T00:30:00+01:00', '2201-01-01T00:00:00Z'];
  expect(within.map(at)).toEqual(Array(4).fill('accepted'));
  expect(outside.map(at)).toEqual(Array(3).fill('timestamp must be in the years 1970 to 2200'));
});

it('reports have different keys if their type, account or id differs, whatever these contain', () => {
  const lines = [
    report('c', { accountId: 'a\tb' }),
    report('b\tc', { accountId: 'a' }),
    report('c', { accountId: 'a' }),
    report('c', { accountId: 'a', type: 'deprecation' }),
  ];
  const keys = lines.map(line => readLine(JSON.stringify(line), DAYS).key);
  expect(new Set(keys).size).toBe(4);
  const deleted = { kind: 'report', deleted: true, type: 'csp', accountId: 'a', id: 'c' };
  expect(readLine(JSON.stringify(deleted), DAYS).key).toBe(keys[2]);
});

describe('a whole line', () => {
  const policy = (text: string) => ({ kind: 'policy', accountId: 'a', id: 'p', name: 'n', policy: text });

  it('of a report is limited to a MiB without its original', () => {
    const strings = (size: number) => Array(16).fill('x'.repeat(65_536)).concat('x'.repeat(size));
    const line = (size: number) =>
      report('r', { type: 'tls_rpt', raw: 'é'.repeat(524_288), policyStrings: strings(size) });
    const overhead = Buffer.byteLength(JSON.stringify(line(0))) - 2 * 524_288 - 2;
    const room = 1_048_576 - overhead;
    expect(room).toBeLessThan(0);
    const fewer = (size: number) => ({
      ...line(0),
      policyStrings: strings(0).slice(1).concat('x'.repeat(size)),
    });
    const free = 1_048_576 - (Buffer.byteLength(JSON.stringify(fewer(0))) - 2 * 524_288 - 2);
    expect([refusal(fewer(free)), refusal(fewer(free + 1))]).toEqual([
      'accepted',
      'is longer than 1 MiB without its raw',
    ]);
    expect(refusal({ ...line(0), policyStrings: [], raw: 'é'.repeat(524_289) })).toBe(
      'raw must not be longer than 1048576 bytes',
    );
  });

  it('is measured in bytes, and records without their escapes', { tags: 'slow' }, () => {
    const euros = (count: number) =>
      report('r', { type: 'tls_rpt', policyStrings: Array(count).fill('€'.repeat(21_845)) });
    expect([refusal(euros(15)), refusal(euros(16))]).toEqual([
      'accepted',
      'is longer than 1 MiB without its raw',
    ]);
    const filters = (schemes: string[]) => ({
      kind: 'filters',
      accountId: 'a',
      advanced: { blockedSchemes: schemes },
    });
    const quotes = Array<string>(15).fill('"'.repeat(65_536));
    // The names, the brackets and the texts take the rest; the quotes count once.
    const rest = 1_048_576 - 15 * (65_536 + 3) - 72;
    const outcomes = [-1, 0, 1].map(more => refusal(filters([...quotes, 'x'.repeat(rest + more)])));
    expect(outcomes).toEqual(['accepted', 'accepted', 'is longer than 1 MiB']);
    const schemes = (count: number) => filters(Array(count).fill('€'.repeat(21_845)));
    expect([15, 16].map(count => refusal(schemes(count)))).toEqual(['accepted', 'is longer than 1 MiB']);
  });

  it('is refused with its reason if the reader did not decode it', () => {
    const reasons = [{ tooLong: true }, {}].map(line => understand({ number: 1, ...line }, DAYS));
    expect(reasons).toEqual([new BadLine('', 'is longer than 16 MiB'), new BadLine('', 'is not UTF-8')]);
  });

  it('may repeat neither a name nor nest deeper than twenty levels', () => {
    const text = JSON.stringify(policy('x'));
    const twice = text.replace('"name":"n"', '"name":"n","name":"n"');
    expect([refusal(text), refusal(twice)]).toEqual(['accepted', 'name occurs twice in its object']);
    expect(refusal(text.replace('"name"', String.raw`"n\u0061me":"x","name"`))).toBe(
      'name occurs twice in its object',
    );
    const quoted = policy(String.raw`\" \\" " {"a":1,"a":2} \\`);
    expect([refusal(quoted), refusal(JSON.stringify(quoted, null, 2))]).toEqual(['accepted', 'accepted']);
    const nested = (levels: number) =>
      `{"kind":"report","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(refusal(nested(21))).toBe('is nested more than 20 deep');
    expect(refusal(nested(20))).not.toContain('nested');
  });

  it.each([
    [String.raw`a\u0000b`, 'holds the character U+0000, which cannot be stored'],
    [String.raw`a\ud800b`, 'holds half of a surrogate pair, which UTF-8 cannot write'],
    [String.raw`\ude00\ud83d`, 'holds half of a surrogate pair, which UTF-8 cannot write'],
  ])('cannot contain %s', (escaped, reason) => {
    const inText = JSON.stringify(policy('@')).replace('@', escaped);
    expect(refusal(inText)).toBe(`policy ${reason}`);
    expect(refusal(inText.replace(escaped, String.raw`\ud83d\ude00 \\u0000`))).toBe('accepted');
    const inList = JSON.stringify(report('r', { policyIocHosts: ['a', '@'] })).replace('@', escaped);
    expect(refusal(inList)).toBe(`policyIocHosts[1] ${reason}`);
  });
});

describe('a source that can be read only once', () => {
  let folder: string;
  const before = process.env.TMPDIR;
  beforeEach(() => {
    folder = makeFolder();
    process.env.TMPDIR = join(folder, 'tmp');
    mkdirSync(process.env.TMPDIR);
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true });
  });
  const listTemporary = () => readdirSync(join(folder, 'tmp'));

  async function* chunks(failure?: Error) {
    yield 'a\n';
    if (failure) throw failure;
    yield 'b\n';
  }

  it.each<[string, (source: RereadableSource) => Promise<unknown>]>([
    [
      'read completely',
      async source => {
        for await (const _chunk of source.read());
      },
    ],
    [
      'left early',
      async source => {
        for await (const _chunk of source.read()) break;
      },
    ],
    [
      'aborted',
      async source => {
        const ending = new AbortController();
        for await (const _chunk of source.read(ending.signal)) ending.abort();
      },
    ],
  ])('leaves no temporary file once it was %s and is closed', async (_, read) => {
    const source = new RereadableSource({ name: 'once', content: chunks() });
    await read(source).catch(error => expect(error.name).toBe('AbortError'));
    expect(listTemporary()).toEqual([expect.stringMatching(/^sightline-load-/)]);
    await source.close();
    expect(listTemporary()).toEqual([]);
  });

  it('is copied to a file that other users cannot read', async () => {
    const source = new RereadableSource({ name: 'once', content: chunks() });
    for await (const _chunk of source.read());
    const paths = listTemporary().map(name => join(folder, 'tmp', name));
    expect(
      paths.flatMap(path => [path, join(path, 'content')]).map(path => statSync(path).mode & 0o777),
    ).toEqual([0o700, 0o600]);
    await source.close();
  });

  it('leaves no temporary file after a failure', async () => {
    const source = new RereadableSource({ name: 'once', content: chunks(new Error('cut')) });
    const read = async () => {
      for await (const _chunk of source.read());
    };
    await expect(read()).rejects.toThrow('cut');
    await source.close();
    expect(listTemporary()).toEqual([]);
  });

  it('needs no temporary file for a list or a function, which is called for each read', async () => {
    let calls = 0;
    const create = () => {
      calls++;
      return chunks();
    };
    const contents = [['a\n', 'b\n'], create];
    for (const content of contents) {
      const source = new RereadableSource({ name: 'again', content });
      for (let time = 0; time < 2; time++) {
        const read: Buffer[] = [];
        for await (const chunk of source.read()) read.push(chunk);
        expect(Buffer.concat(read).toString()).toBe('a\nb\n');
      }
      await source.close();
    }
    expect([calls, listTemporary(), existsSync(folder)]).toEqual([2, [], true]);
  });
});

it.each([
  ['text', Buffer.from('a\nb\n')],
  ['gzip', gzipSync('a\nb\n')],
])('an input of %s ends when its reader stops', async (_, bytes) => {
  let isOver = false;
  async function* input() {
    try {
      yield bytes;
      yield bytes;
    } finally {
      isOver = true;
    }
  }
  for await (const lines of readLines(input())) if (lines.length > 0) break;
  await until(() => isOver);
  expect(isOver).toBe(true);
});

it('a site has up to 253 characters', () => {
  const refusalOf = (site: string) => refusal(watch('a', { site }));
  expect(refusalOf(`${'a.'.repeat(126)}b`)).toBe('accepted');
  expect(refusalOf(`${'a.'.repeat(126)}bc`)).toBe('site must be a host name');
});

it.each([
  ['sender', 'a sender', ['verdict']],
  ['blockedSource', 'a blocked source', ['site']],
  ['issuer', 'an issuer', []],
  ['script', 'a script', ['site', 'owner', 'hashes']],
  ['insight', 'an insight', ['count']],
])('a verdict on %s has only the fields of its kind', (subjectKind, name, own) => {
  const usual = {
    ...{ kind: 'verdict', accountId: 'a', subjectKind, subject: 's', verdict: 'mine', reason: 'r' },
    ...{
      decidedBy: 'u',
      decidedAt: '2026-05-10T12:00:00Z',
      site: subjectKind === 'script' ? 'a.example' : null,
    },
  };
  const further = { verdict: 'forwarder', site: 'a.example', owner: 'o', hashes: ['h'], count: 1 };
  for (const [field, value] of Object.entries(further)) {
    const reason =
      field === 'verdict'
        ? `verdict must be one of mine, accepted, notMine in a verdict on ${name}`
        : `${field} is not a field of a verdict on ${name}`;
    expect(refusal({ ...usual, [field]: value })).toBe(own.includes(field) ? 'accepted' : reason);
  }
});
