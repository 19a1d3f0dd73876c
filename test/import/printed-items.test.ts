import { DEFAULT_BOUNDS, type Item, OUTERMOST, Routes } from '@sightline/importer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aggregateXml } from '../../packages/importer/test/reports.ts';
import { ImportSession } from '../../src/cli/import-lines.ts';

let printed: string[];
let now: number;
const { isTTY } = process.stderr;
beforeEach(() => {
  [printed, now] = [[], 1000];
  process.stderr.isTTY = false;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

const OPTIONS = { accountId: 'a', format: 'auto', action: 'enforced', stripQuery: false } as const;

/** An import whose file of skipped items is an array of texts. */
function start(more: object = {}, options: object = {}) {
  const kept: string[] = [];
  const skippedFile = { write: async (text: string) => kept.push(text) };
  const importing = new ImportSession(
    { ...OPTIONS, bounds: DEFAULT_BOUNDS, ...options },
    new AbortController().signal,
    { skippedFile: skippedFile as never, ...more },
  );
  return { importing, kept };
}

const item = (place: string, text: string): Item => ({
  ...{ place, name: place, modified: 0, nesting: OUTERMOST },
  content: (async function* () {
    yield Buffer.from(text);
  })(),
});

/** Imports texts by place, and returns their lines. */
async function read(importing: ImportSession, texts: Readonly<Record<string, string>>): Promise<string[]> {
  async function* items() {
    for (const [place, text] of Object.entries(texts)) yield item(place, text);
  }
  const lines: string[] = [];
  for await (const text of importing.lines(items())) lines.push(text);
  return lines;
}

describe('lines that the load refuses', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      Buffer.from(`{"kind":"report","accountId":"a","type":"dmarc","id":"r-${index}"}\n`),
    );

  it.each([100, 101, 250])('are named up to the hundredth: %d', async count => {
    const { importing, kept } = start();
    await importing.refuse(lines(count), []);
    importing.close();
    const named = Array.from({ length: 100 }, (_, index) => `dmarc r-${index} is refused by the feed\n`);
    expect(printed).toEqual([...named, ...(count > 100 ? [`… and ${count - 100} more\n`] : [])]);
    expect([kept.length, importing.tally.records.dmarc, importing.tally.skippedInAll]).toEqual([
      count,
      -count,
      count,
    ]);
  });

  it('have the field and the reason', async () => {
    const { importing, kept } = start();
    const reasons = [{ field: 'count', reason: 'is too\nlarge' }, { reason: 'is bad' }];
    await importing.refuse(lines(3), reasons as never);
    expect(printed).toEqual([
      'dmarc r-0 is refused by the feed: count is too\ufffdlarge\n',
      'dmarc r-1 is refused by the feed: is bad\n',
      'dmarc r-2 is refused by the feed\n',
    ]);
    expect(JSON.parse(kept[1]!)).toEqual({
      ...{ kind: 'skipped', place: 'dmarc r-1', reason: 'is refused by the feed', detail: 'is bad' },
    });
  });
});

describe('an import', () => {
  const texts = { good: aggregateXml(), bad: '<feedback><broken', other: 'text' };

  it('prints its skipped items, and each item with its records if requested', async () => {
    const { importing, kept } = start({ isVerbose: true });
    const lines = await read(importing, texts);
    expect([lines.length, printed, kept]).toMatchInlineSnapshot(`
      [
        1,
        [
          "good: dmarc 1
      ",
          "bad is not well-formed XML: unclosed tag: feedback; 0 records were read, others can be missing
      ",
          "bad: skipped 1
      ",
          "other is in an unknown format
      ",
          "other: skipped 1
      ",
        ],
        [
          "{"kind":"skipped","place":"bad","reason":"is not well-formed XML","detail":"unclosed tag: feedback; 0 records were read, others can be missing"}
      ",
          "{"kind":"skipped","place":"other","reason":"is in an unknown format","detail":""}
      ",
        ],
      ]
    `);
    const quiet = start();
    printed = [];
    await read(quiet.importing, texts);
    expect([printed.length, quiet.kept]).toEqual([2, kept]);
  });

  it('names what it does not store, and an item without a record', async () => {
    const { importing } = start({ isVerbose: true });
    await read(importing, { old: '{"expect-ct-report":{}}\n{"known-pins":[]}\n', none: '[]' });
    expect(printed).toEqual(['old: not stored 2\n', 'none: nothing\n']);
  });

  it.each([
    ['counts repeated records itself if its lines are written to a feed', false, { dmarc: 1 }, 1],
    ['leaves the count of repeated records to the load', true, { dmarc: 2 }, 0],
  ])('%s', async (_, isLoaded, records, repeated) => {
    const { importing } = start({ isLoaded });
    await read(importing, { one: aggregateXml(), two: aggregateXml() });
    expect([importing.tally.records, importing.tally.repeated]).toEqual([records, repeated]);
  });

  it('reports domains without an account', async () => {
    const domains: string[] = [];
    const more = { isVerbose: true, onUnrouted: (domain: string) => domains.push(domain) };
    const { importing, kept } = start(more, {
      accountId: undefined,
      routes: new Routes([['b.example', 'b']]),
    });
    expect(await read(importing, { good: aggregateXml() })).toEqual([]);
    expect([domains, printed, kept]).toMatchInlineSnapshot(`
      [
        [
          "example.org",
        ],
        [
          "good: of no account 1
      ",
        ],
        [
          "{"kind":"unrouted","domain":"example.org"}
      ",
        ],
      ]
    `);
  });

  it('shows its progress on a terminal, four times a second', async () => {
    process.stderr.isTTY = true;
    const { importing } = start({ progress: () => (now < 4000 ? 'INBOX' : '') });
    async function* items() {
      for (const [place, time] of [1000, 1249, 1250, 3500, 5000].entries()) {
        importing.onBytes(1_250_000);
        now = time;
        yield item(String(place), aggregateXml());
      }
    }
    for await (const _ of importing.lines(items()));
    importing.close();
    expect(printed).toEqual([
      '\rINBOX; 1 items, 1.3 MB, 0 items a second\x1b[K',
      '\rINBOX; 3 items, 3.8 MB, 12 items a second\x1b[K',
      '\rINBOX; 4 items, 5.0 MB, 2 items a second\x1b[K',
      '\r5 items, 6.3 MB, 1 items a second\x1b[K',
      '\r\x1b[K',
    ]);
  });
});
