import { expect, it } from 'vitest';
import type { ParseResult, SkippedPart } from '../src/finding.ts';
import { ImportTally } from '../src/tally.ts';

const COUNTS = { items: 9, received: { line: 0, option: 0, file: 0 } } as Parameters<
  ImportTally['toJson']
>[0];

/** Adds the counts of an import with one of everything, to any of these tallies in turn. */
function fill(...tallies: ImportTally[]): void {
  let next = 0;
  const take = () => tallies[next++ % tallies.length]!;
  const findings = [
    { kind: 'line', type: 'csp', id: '1', text: '', isCut: true },
    { kind: 'line', type: 'dmarc', id: '2', text: '', isCut: true },
    { kind: 'line', type: 'csp', id: '3', text: '', isCut: false },
    { kind: 'known', records: 5 },
    { kind: 'known', records: 7 },
    { kind: 'unstored', type: 'x' },
    { kind: 'unstored', type: 'x' },
    { kind: 'unrouted', domain: 'a.example' },
    { kind: 'unrouted', domain: '' },
    { kind: 'unrouted', domain: '' },
  ] as unknown as ParseResult[];
  for (const finding of findings) take().add([finding]);
  for (const reason of ['is not JSON', 'is too long', 'is not JSON']) take().skip({ reason } as SkippedPart);
  for (const count of [1, 2])
    take().settle({
      repeated: { csp: count },
      superseded: {},
      pastRetention: { dmarc: count },
      expiring: count,
    });
}

it('merged counts of imports are those of one import', () => {
  const whole = new ImportTally(false);
  fill(whole);
  const [sum, other] = [new ImportTally(false), new ImportTally(false)];
  fill(sum, other);
  sum.merge(other);
  expect(JSON.parse(sum.toJson(COUNTS, 1))).toEqual(JSON.parse(whole.toJson(COUNTS, 1)));
  expect(JSON.parse(whole.toJson(COUNTS, 1))).toEqual({
    items: 9,
    received: COUNTS.received,
    seconds: 1,
    records: { csp: -1, dmarc: -2 },
    repeated: 15,
    pastRetention: 3,
    expiring: 3,
    cut: 2,
    skipped: { 'is not JSON': 2, 'is too long': 1 },
    unrouted: { 'a.example': 1, 'no domain': 2 },
    unstored: { x: 2 },
  });
});

it('the summary of an import names only what it contains', () => {
  const tally = new ImportTally(false);
  tally.add([{ kind: 'line', type: 'csp', id: '1', text: '', isCut: false }] as unknown as ParseResult[]);
  tally.settle({ repeated: { csp: 1 }, superseded: {}, pastRetention: {}, expiring: 0 });
  const received = { line: 2, option: 0, file: 1 };
  expect(tally.describe({ ...COUNTS, received }, 1.26)).toBe(
    'Imported nothing; 9 items read; 1 repeated; 0 skipped; times from a log 2, the file 1; 1.3 s',
  );
});

it('unknown names beyond the first 100 are counted together', () => {
  const tally = new ImportTally(false);
  for (let name = 0; name < 103; name++) tally.add([{ kind: 'unstored', type: `x${name % 102}` }]);
  expect(Object.keys(tally.unstored)).toHaveLength(101);
  expect(tally.unstored).toMatchObject({ x0: 2, x99: 1, others: 2 });
});

it('domains and reasons beyond the first 100 are counted together', () => {
  const tally = new ImportTally(false);
  for (let name = 0; name < 102; name++) {
    tally.add([{ kind: 'unrouted', domain: `${name}.example` }]);
    tally.skip({ reason: `is ${name}` } as SkippedPart);
  }
  for (const counts of [tally.unrouted, tally.skipped]) {
    expect(Object.keys(counts)).toHaveLength(101);
    expect(counts.others).toBe(2);
  }
});

it.each(['constructor', 'toString', '__proto__'])('the unknown name %s is counted like others', name => {
  const [tally, other] = [new ImportTally(false), new ImportTally(false)];
  for (const each of [tally, tally, other]) each.add([{ kind: 'unstored', type: name }]);
  tally.merge(other);
  expect(tally.describe(COUNTS, 1)).toContain(`; not stored: ${name} 3; `);
  expect(tally.toJson(COUNTS, 1)).toContain(`"unstored":{"${name}":3}`);
});

it('an inherited name beyond the first 100 is counted with the others', () => {
  const tally = new ImportTally(false);
  for (let name = 0; name < 100; name++) tally.add([{ kind: 'unstored', type: `x${name}` }]);
  tally.add([{ kind: 'unstored', type: 'constructor' }]);
  expect(tally.unstored.others).toBe(1);
});

it.each<[string, (tally: ImportTally) => void, boolean]>([
  ['nothing', () => {}, false],
  ['only skipped parts', tally => tally.skip({ reason: 'is not JSON' } as SkippedPart), false],
  ['only a type that is not stored', tally => tally.add([{ kind: 'unstored', type: 'x' }]), false],
  ['only reports of no account', tally => tally.add([{ kind: 'unrouted', domain: 'a.example' }]), false],
  ['a record', tally => tally.add([{ kind: 'line', type: 'csp', id: '1' } as ParseResult]), true],
  ['a known mail', tally => tally.add([{ kind: 'known', records: 1 }]), true],
  [
    'a record past the retention',
    tally => {
      tally.add([{ kind: 'line', type: 'csp', id: '1' } as ParseResult]);
      tally.settle({ repeated: {}, superseded: {}, pastRetention: { csp: 1 }, expiring: 0 });
    },
    true,
  ],
])('an import with %s has read something: %s', (_, fill, isAnything) => {
  const tally = new ImportTally(false);
  fill(tally);
  expect(tally.isAnythingIn).toBe(isAnything);
});

it('a superseded record counts as repeated, and a repeated id only once', () => {
  const tally = new ImportTally(true);
  for (const letter of ['a', 'b', 'b'])
    tally.add([{ kind: 'line', type: 'csp', id: letter.repeat(43) } as ParseResult]);
  expect([tally.found, tally.repeated]).toEqual([2, 1]);
  tally.settle({ repeated: {}, superseded: { csp: 1 }, pastRetention: {}, expiring: 0 });
  expect([tally.found, tally.repeated]).toEqual([1, 2]);
});

it('names of unknown types are counted by their first 64 characters', () => {
  const tally = new ImportTally(false);
  for (const end of ['', 'a', 'b']) tally.add([{ kind: 'unstored', type: 'x'.repeat(64) + end }]);
  expect(tally.unstored).toEqual({ ['x'.repeat(64)]: 3 });
});

it('domains of no account are counted by their first 253 characters', () => {
  const tally = new ImportTally(false);
  for (const end of ['', 'a', 'b']) tally.add([{ kind: 'unrouted', domain: 'x'.repeat(253) + end }]);
  expect(tally.unrouted).toEqual({ ['x'.repeat(253)]: 3 });
});

it('the summary of an import names everything that it contains, with its number', () => {
  const tally = new ImportTally(false);
  fill(tally);
  tally.add(['4', '5', '6', '7'].map(id => ({ kind: 'line', type: 'csp', id }) as ParseResult));
  const text = tally.describe({ ...COUNTS, received: { line: 0, option: 4, file: 0 } }, 2);
  expect(text).toBe(
    'Imported csp 3; 9 items read; 15 repeated; past retention: 3; ' +
      'older than the retention, so that the next prune removes them: 3; texts cut in 2; ' +
      '3 skipped (is not JSON 2, is too long 1); of no account: a.example 1, no domain 2; not stored: x 2; ' +
      'times from --received 4; 2.0 s',
  );
});
