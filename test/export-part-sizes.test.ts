import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeParts } from '../src/export/parts.ts';
import { streamExport } from '../src/export/stream.ts';

const MIB = 1024 * 1024;

let now: number;
beforeEach(() => {
  now = 5000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.restoreAllMocks());

/** Rows that arrive: their text, or the time before them in milliseconds. */
interface Arrival {
  text?: string;
  after?: number;
  gap?: boolean;
}

const FORM = {
  name: 'json',
  mediaType: 'text/x',
  start: () => '[',
  end: ']',
  write: (rows: { text: string }, _: unknown, isFirst: boolean) => ({
    pieces: [Buffer.from((isFirst ? '' : ',') + rows.text)],
    release() {},
  }),
};

/** Writes arrivals, each with its number as its place. Returns the parts: place, gap and text. */
async function write(arrivals: readonly Arrival[]) {
  async function* arrive() {
    for (const [index, { text, after = 0, gap }] of arrivals.entries()) {
      now += after;
      const rows = text === undefined ? undefined : { text, inParts: () => [{ text }] };
      yield { rows, place: () => index + 1, ...(gap !== undefined && { gap }) };
    }
  }
  const pieces: Buffer[] = [];
  const body = writeParts(arrive() as never, FORM as never, [], String, 'bound');
  for await (const piece of body) pieces.push(Buffer.from(piece));
  const whole = Buffer.concat(pieces).toString();
  expect(whole.endsWith('\r\n--bound--\r\n')).toBe(true);
  return whole
    .slice(0, -'\r\n--bound--\r\n'.length)
    .split('\r\n--bound\r\n')
    .slice(1)
    .map(part => {
      const [head = '', text = ''] = part.split('\r\n\r\n');
      expect(head).toContain(`Content-Type: text/x\r\nContent-Length: ${text.length}\r\n`);
      return { place: /^Sightline-Cursor: (.+)$/m.exec(head)![1], hasGap: head.endsWith('Gap: true'), text };
    });
}

const lengths = async (...arrivals: Arrival[]) =>
  (await write(arrivals)).map(({ place, text }) => [place, text.length]);

describe('a part of an export', () => {
  it('is sent when it has a mebibyte, and otherwise with later rows', async () => {
    const [full, less] = ['x'.repeat(MIB - 1), 'x'.repeat(MIB - 2)];
    expect(await lengths({ text: full }, { text: '1' })).toEqual([
      ['1', MIB + 1],
      ['2', 3],
    ]);
    expect(await lengths({ text: less }, { text: '1' }, { text: '2' })).toEqual([
      ['2', MIB + 2],
      ['3', 3],
    ]);
  });

  it('is sent when it is a second old, which begins after the previous part', async () => {
    expect(
      await lengths({ text: '1', after: 999 }, { text: '2', after: 1 }, { text: '3', after: 999 }, {}),
    ).toEqual([
      ['2', 5],
      ['4', 3],
    ]);
  });

  it('begins with its own first record, and names a gap before any of its rows', async () => {
    const arrivals = [{ text: '1', gap: true }, { text: '2' }, { text: '3', after: 1000 }, { text: '4' }];
    expect(await write(arrivals)).toEqual([
      { place: '3', hasGap: true, text: '[1,2,3]' },
      { place: '4', hasGap: false, text: '[4]' },
    ]);
  });

  it('can have a record of any size, and no record', async () => {
    const large = 'x'.repeat(5 * MIB);
    const [first, second] = await write([{ text: '1' }, { text: large }, {}]);
    expect([first!.text === `[1,${large}]`, second]).toEqual([
      true,
      { place: '3', hasGap: false, text: '[]' },
    ]);
    expect(await write([])).toEqual([]);
  });

  it('of a large record leaves no large memory behind', async () => {
    async function* arrive() {
      for (const text of ['x'.repeat(5 * MIB), 'y'.repeat(MIB)])
        yield { rows: { text, inParts: () => [{ text }] }, place: () => 1 };
    }
    const memory: number[] = [];
    for await (const { length, buffer } of writeParts(arrive() as never, FORM as never, [], String, 'bound'))
      if (length > MIB) memory.push(buffer.byteLength / MIB);
    expect(memory).toEqual([expect.closeTo(10, 3), 2]);
  });
});

describe('a stream of an export', () => {
  /** A stream of two results with two parts each, and what has been released and closed. */
  function stream(last?: Error) {
    const ends = { released: 0, closed: 0 };
    const write = (name: string, _: unknown, isFirst: boolean) => ({
      pieces: [Buffer.from(isFirst ? '' : ','), Buffer.from(name)],
      release: () => void ends.released++,
    });
    const rows = (...names: string[]) => ({ inParts: () => names });
    async function* others() {
      yield rows('three', 'four');
      if (last) throw last;
    }
    const first = { done: false, value: rows('one', 'two') };
    const form = { ...FORM, write };
    const close = () => void ends.closed++;
    return { ends, body: streamExport(first as never, others() as never, form as never, [], close) };
  }

  it('contains all parts, and releases each and its slot', async () => {
    const { ends, body } = stream();
    expect(await text(body)).toBe('[one,two,three,four]');
    expect(ends).toEqual({ released: 4, closed: 1 });
  });

  it('releases its slot after a failure', async () => {
    const { ends, body } = stream(new Error('lost'));
    await expect(text(body)).rejects.toThrow('lost');
    expect(ends).toEqual({ released: 4, closed: 1 });
  });

  it('releases its part and its slot when its reader leaves', async () => {
    const { ends, body } = stream();
    for (let pieces = 0; pieces < 3; pieces++) await body.next();
    expect(ends).toEqual({ released: 0, closed: 0 });
    await body.return(undefined);
    expect(ends).toEqual({ released: 1, closed: 1 });
  });
});
