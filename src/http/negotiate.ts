import Negotiator from 'negotiator';
import type { HeaderValue } from './reply.ts';

/** Maximum length in characters. Browsers send a tenth of this. */
const LONGEST = 1024;

/**
 * Returns the preference that a header of content negotiation states (RFC 9110, section 12.5). A header that is longer
 * than any client needs counts as absent, because parsing it would cost more than the response.
 */
export function preference(header: HeaderValue): string | undefined {
  const text = header === undefined ? undefined : String(header);
  return text === undefined || text.length > LONGEST ? undefined : text;
}

/**
 * Chooses the media type that an `Accept` header prefers. All content negotiation of the service uses this function.
 *
 * Parameters that no offer has are ignored, because clients send `charset=utf-8`, `escaping=allow-utf-8` or
 * `odata.metadata=…` without meaning another type. A parameter that an offer has, such as `version=0.0.4`, selects that
 * offer. If no offer matches, a type with another parameter is preferred to a different type.
 * @param offers media types with their parameters, the default first
 * @returns the default for a client without a preference; undefined where no offer is acceptable
 */
export function preferredType<Offer extends string>(
  accept: HeaderValue,
  offers: readonly Offer[],
): Offer | undefined {
  const wanted = preference(accept);
  if (wanted === undefined || wanted === '*/*' || !MEDIA_RANGE.test(wanted)) return offers[0];
  const types = offers.map(withoutCharset);
  const index = choose(wanted, types, new Set(['charset', ...types.flatMap(parameterNames)]));
  // Ignoring parameters, `text/csv; header=absent` matches `text/csv; header=present`.
  return offers[index >= 0 ? index : choose(wanted, types.map(withoutParameters), NONE)];
}

/** Checks whether a client names a type explicitly. Most programs other than browsers accept any type. */
export function namesType(accept: HeaderValue, type: string): boolean {
  const wanted = preference(accept);
  if (wanted === undefined) return false;
  const types = new Negotiator({ headers: { accept: normalize(wanted, NONE) } }).mediaTypes();
  return types.some(named => named.toLowerCase() === type);
}

/** Returns the index of the best offer, or -1. @param compared names of the parameters to compare */
function choose(accept: string, offers: string[], compared: ReadonlySet<string>): number {
  const negotiator = new Negotiator({ headers: { accept: normalize(accept, compared) } });
  return offers.indexOf(negotiator.mediaType(offers) ?? '');
}

const NONE: ReadonlySet<string> = new Set();

/** A header without a media range is empty or malformed and states no preference. */
const MEDIA_RANGE = /(^|,)\s*([^\s,;/"]+\/[^\s,;/"]|\*\s*([,;]|$))/;

/** `; name=value`, `; name="quoted, value"`, `; name`, or a trailing semicolon. */
const PARAMETER = /\s*;\s*(?:([^\s=;,"]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^;,]*))?)?/g;

/** `*` for any type, as sent by Java's HttpURLConnection. */
const ANY = /(^|,)\s*\*(?=\s*(?:[,;]|$))/g;

/** All responses are in UTF-8. */
const UTF8 = /^"?utf-?8"?$/i;

/** Reduces a header to the weights and the compared parameters. */
function normalize(accept: string, compared: ReadonlySet<string>): string {
  const rewrite = (_: string, given = '', value = ''): string => {
    const [name, text] = [given.toLowerCase(), value.trim()];
    if (name === 'q') return weight(text);
    return compared.has(name) && !(name === 'charset' && UTF8.test(text)) ? `;${name}=${text}` : '';
  };
  return accept.replace(PARAMETER, rewrite).replace(ANY, '$1*/*');
}

/** A quality between 0 and 1. Anything else counts as absent. */
function weight(text: string): string {
  const value = Number.parseFloat(text.replaceAll('"', ''));
  return Number.isNaN(value) ? '' : `;q=${Math.min(1, Math.max(0, value))}`;
}

const withoutCharset = (type: string) => type.replace(/;\s*charset=[^;]*/i, '');
const withoutParameters = (type: string) => type.replace(/;.*/, '').trim();
const parameterNames = (type: string) => [...type.matchAll(/;\s*([^=;]+)=/g)].map(([, name]) => name!);
