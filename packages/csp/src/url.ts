/** The maximum length of a host name as written, including a user name and password before it. */
const LONGEST_WRITTEN = 4096;

/**
 * The maximum length of a host name (RFC 1035, section 2.3.4). Punycode has at least one character for each that it
 * encodes.
 */
export const LONGEST_HOST = 253;

/** A character outside ASCII, literal or percent-encoded. */
const BEYOND_ASCII = /[^\0-\x7f]|%[c-f][\da-f]/giu;

/** Punycode takes quadratic time: 4096 characters would block the process for twenty milliseconds. */
export function isTooLong(written: string): boolean {
  if (written.length <= LONGEST_HOST) return false;
  return written.length > LONGEST_WRITTEN || (written.match(BEYOND_ASCII)?.length ?? 0) > LONGEST_HOST;
}

/** Matches the authority of a URL. `URL` would parse even a megabyte there. */
const AUTHORITY = /^[\0-\x20]*[a-z][a-z0-9+.\-\t\n\r]*:[/\\\t\n\r]*([^/\\?#]*)/i;

/**
 * Parses an untrusted address in linear time. Undefined for anything else, and for a host that is too long for a name.
 * `new URL` takes quadratic time for a long host.
 *
 * Not URL.canParse, which in Node 20 rejects letters between U+0080 and U+00FF once its caller is compiled.
 */
export function parseUrl(text: string): URL | undefined {
  if (!text.includes(':')) return undefined;
  if (text.length > LONGEST_HOST && isTooLong(AUTHORITY.exec(text)?.[1] ?? '')) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
