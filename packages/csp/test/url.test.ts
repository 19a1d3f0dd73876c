import { describe, expect, it } from 'vitest';
import { isTooLong, judgeOf, parsePolicy } from '../src/index.ts';
import { toAddress } from '../src/match.ts';
import { parseUrl } from '../src/url.ts';

const letters = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + at));
const LONG = letters(20_000);

/** Addresses for which `new URL` takes quadratic time, or would. */
const HOSTILE: readonly [string, string][] = [
  ['letters', `https://${LONG}/`],
  ['percent-encoded letters', `https://${encodeURIComponent(letters(5000))}/`],
  ['letters after a user name and a password', `https://x:y@${LONG}/`],
  ['letters after white space', ` \t\0https://${LONG}/`],
  ['letters after backslashes', `https:\\\\${LONG}/`],
  ['letters with tabs in the scheme', `ht\ttp\ns://${LONG}/`],
  ['letters without slashes', `https:${LONG}`],
  ['letters between many dots', `https://${letters(250)}${'.é'.repeat(10_000)}/`],
  ['an ASCII host', `https://${'a.'.repeat(10_000)}example/`],
  ['a long number', `https://${'1'.repeat(20_000)}/`],
];

function toMilliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user / 1000;
}

describe('an untrusted address', () => {
  it.each(HOSTILE)('is rejected in almost no time if its host is too long: %s', (_, address) => {
    expect(parseUrl(address)).toBeUndefined();
    expect(toAddress(address)).toBeUndefined();
    const milliseconds = toMilliseconds(() => {
      for (let time = 0; time < 20; time++) parseUrl(address);
    });
    expect(milliseconds).toBeLessThan(1000);
  });

  it.each([
    ['https://user@bücher.example:8443/a?b#c', 'xn--bcher-kva.example'],
    [`https://a.example/${LONG}`, 'a.example'],
    ['wss://[2001:db8::1]/', '[2001:db8::1]'],
  ])('is parsed as by URL if it is valid', (address, host) => {
    expect(parseUrl(address)?.href).toBe(new URL(address).href);
    expect(toAddress(address)?.host).toBe(host);
  });

  it('is parsed in less than quadratic time', () => {
    const judge = judgeOf(parsePolicy(`img-src ${'https://a.example/%61/ '.repeat(500)}`));
    const paths = ['/'.repeat(60_000), '/%61'.repeat(15_000), '/a'.repeat(30_000)];
    const milliseconds = toMilliseconds(() => {
      for (const [, blockedUri] of [...HOSTILE, ...paths.map(path => ['', `https://a.example/x${path}`])])
        judge({ directive: 'img-src', blockedUri: blockedUri!, page: blockedUri! });
    });
    expect(milliseconds).toBeLessThan(1000);
  });
});

describe('a host as written', () => {
  it.each([
    ['ASCII', 'a', 4096],
    ['letters outside ASCII', 'é', 253],
    ['Latin letters in percent-encoding', '%C3%A9', 253],
    ['Greek letters in percent-encoding', '%CE%B1', 253],
    ['Thai letters in percent-encoding', '%e0%b8%81', 253],
    ['Chinese letters in percent-encoding', '%E4%B8%80', 253],
    ['emoji in percent-encoding', '%f0%9f%98%80', 253],
    ['percent-encoded ASCII', '%61', 1365],
  ])('of %s can have a limited length', (_, character, most) => {
    expect(isTooLong(character.repeat(most))).toBe(false);
    expect(isTooLong(character.repeat(most + 1))).toBe(true);
  });
});
