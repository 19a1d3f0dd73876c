import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inZone } from '../../../test/support/time-zone.ts';
import {
  beginsAt,
  bothMoments,
  changeInWords,
  count,
  dayBefore,
  duration,
  escapedJson,
  exactly,
  hostIn,
  issuerName,
  moment,
  momentAndSecond,
  monthName,
  plural,
  revealControlCharacters,
  share,
  short,
  shortDay,
} from '../src/app/browser/format.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-10T15:30:00Z') }));
afterEach(() => void vi.useRealTimers());

describe('a number', () => {
  it('has groups of digits, or is short', () => {
    expect([count(1_234_567), short(1_250_000).toUpperCase(), short(999)]).toEqual([
      '1,234,567',
      '1.3M',
      '999',
    ]);
    expect([plural(1, 'day'), plural(0, 'day'), plural(1200, 'entry', 'entries')]).toEqual([
      '1 day',
      '0 days',
      '1,200 entries',
    ]);
  });

  it.each([
    [1, 8, '12.5%'],
    [3, 3, '100%'],
    [0, 5, '0%'],
    [0, 0, '–'],
  ])('%d of %d is %s', (part, whole, text) => {
    expect(share(part, whole)).toBe(text);
  });

  it.each([
    [0, 0, '–'],
    [5, 0, 'new'],
    [20, 10, '×2'],
    [19, 10, '+90%'],
    [35, 10, '×3.5'],
    [10, 10, '±0%'],
    [9, 10, '−10%'],
    [0, 10, '−100%'],
  ])('of %d after %d has changed by %s', (now, before, text) => {
    expect(changeInWords(now, before)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [499, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [90_000, '2 min'],
    [3_540_000, '59 min'],
    [3_600_000, '1 h'],
    [7_140_000, '1 h 59 min'],
    [90_000_000, '25 h'],
  ])('of %d milliseconds is %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});

describe('an instant', () => {
  it('is shown in UTC, with the year unless it is the present one', () => {
    expect(moment('2026-01-05T23:03:59Z')).toBe('5 Jan, 23:03');
    expect(moment('2025-12-31T23:59:00Z')).toBe('31 Dec 2025, 23:59');
    expect(momentAndSecond('2026-01-05T23:03:59.9Z')).toBe('5 Jan, 23:03:59');
    expect(exactly('2026-01-05T23:03:59.999+00:00')).toBe('2026-01-05 23:03:59 UTC');
    expect(monthName('2026-01')).toBe('January 2026');
    vi.setSystemTime(Date.parse('2026-01-01T00:00:00Z'));
    expect([shortDay('2026-01-01T00:00:00Z'), shortDay('2025-12-31T23:59:59Z')]).toEqual([
      '1 Jan',
      '31 Dec 2025',
    ]);
  });

  it("has a tooltip with the visitor's time if that is another one", () => {
    expect(bothMoments('2026-07-05T02:03:00Z')).toMatch(
      /^5 Jul 2026, 02:03 UTC\n4 Jul 2026, 22:03:00 .+ for you$/,
    );
    expect(beginsAt('2026-01-05T02:00:00Z')).toMatch(/^begins 4 Jan 2026, 21:00:00 .+ for you$/);
  });

  it('has the offset of its own day, not that of today', () => {
    const summer = '2026-07-05T02:03:00Z';
    const winter = '2026-01-05T02:00:00Z';
    for (const now of [summer, winter]) {
      vi.setSystemTime(Date.parse(now));
      inZone('Europe/London', () => {
        expect(bothMoments(summer)).toMatch(/^5 Jul 2026, 02:03 UTC\n.* for you$/);
        expect(bothMoments(winter)).toBe('5 Jan 2026, 02:00 UTC');
        expect([beginsAt(summer), beginsAt(winter)]).toEqual([expect.stringContaining('for you'), undefined]);
      });
    }
  });

  it('has the day of UTC, and earlier ones', () => {
    vi.setSystemTime(Date.parse('2026-03-01T00:30:00Z'));
    expect([dayBefore(0), dayBefore(1), dayBefore(60)]).toEqual(['2026-03-01', '2026-02-28', '2025-12-31']);
  });
});

describe('a text of a stranger', () => {
  it.each([
    ['a\u202eb', 'a⟨U+202E⟩b', 'a\\u202eb'],
    ['\u0000', '⟨U+0000⟩', '\\u0000'],
    ['zero\u200bwidth', 'zero⟨U+200B⟩width', 'zero\\u200bwidth'],
    ['line\u2028end', 'line⟨U+2028⟩end', 'line\\u2028end'],
    ['\u3164', '⟨U+3164⟩', '\\u3164'],
    ['\u034f', '⟨U+034F⟩', '\\u034f'],
    ['tag\u{e0041}', 'tag⟨U+E0041⟩', 'tag\\udb40\\udc41'],
    ['häß 漢字 😀', 'häß 漢字 😀', 'häß 漢字 😀'],
  ])('%j shows its hidden characters', (text, shown, json) => {
    expect(revealControlCharacters(text)).toBe(shown);
    expect(escapedJson(text)).toBe(json);
  });

  it('keeps tabs and line breaks', () => {
    expect(revealControlCharacters('a\tb\r\nc')).toBe('a\tb\r\nc');
  });

  it.each([
    ['https://a.example:8443/x?y#z', 'a.example'],
    ['wss://A.example', 'a.example'],
    ['https:a.example', undefined],
    ['data:text/plain,x', undefined],
    ['inline', undefined],
    ['https://', undefined],
  ])('%j has the host %s', (text, host) => {
    expect(hostIn(text)).toBe(host);
  });

  it.each([
    ["C=US, O=Let's Encrypt, CN=R11", 'R11'],
    ['CN=Test CA,O=Test', 'Test CA'],
    ['C=US+CN=Joint+O=x', 'Joint'],
    ['O=Without, OU=ACN=x', 'O=Without, OU=ACN=x'],
  ])('%j names the issuer %s', (name, issuer) => {
    expect(issuerName(name)).toBe(issuer);
  });
});
