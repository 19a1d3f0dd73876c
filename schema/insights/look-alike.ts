import { measureEditDistance, toReadableHost } from '@sightline/reports';
import { parse } from 'tldts';
import { RULES } from '../insight-rules.ts';

/** Longer names are not compared, since anyone can choose them. */
const LONGEST = 63;

/** Characters and sequences that can be mistaken for others, in the order in which they are replaced. */
const CONFUSABLE: readonly (readonly [string, string])[] = [
  ...(['rn m', 'vv w', 'cl d', '0 o', '1 l', 'i l', '3 e', '5 s'] as const),
  ...(['а a', 'е e', 'о o', 'р p', 'с c', 'х x', 'у y', 'і l', 'ѕ s', 'ԁ d', 'ո n', 'ɡ g', 'ı l'] as const),
].map(pair => pair.split(' ') as [string, string]);

/** Reduces a name to a form that its look-alikes share. */
function toSkeleton(label: string): string {
  const plain = label.normalize('NFKD').replace(/\p{M}+/gu, '');
  return CONFUSABLE.reduce((text, [from, to]) => text.replaceAll(from, to), plain);
}

interface Name {
  domain: string;
  /** The label before the public suffix. */
  label: string;
}

function toName(host: string): Name | undefined {
  const { domain, domainWithoutSuffix } = parse(host);
  if (!domain || !domainWithoutSuffix || domainWithoutSuffix.length > LONGEST) return undefined;
  return { domain, label: toReadableHost(domainWithoutSuffix) };
}

/** Returns the registrable domain of a host, according to the Public Suffix List. */
export const getRegistrableDomain = (host: string): string | undefined => parse(host).domain ?? undefined;

/**
 * Finds the account's domain that a host imitates: a label that differs by up to two characters or looks the same,
 * another suffix, or the complete domain at the start of the host.
 */
export function findImitated(host: string, own: readonly string[]): string | undefined {
  const name = toName(host.toLowerCase().replace(/^\*\./, ''));
  if (!name) return undefined;
  const names = own.flatMap(domain => toName(domain) ?? []);
  if (names.some(({ domain }) => domain === name.domain)) return undefined;
  return names.find(real => isBuiltOn(host.toLowerCase(), real) || isLike(name, real))?.domain;
}

/** True for `example.com.login.test` and `example-com.test`. */
function isBuiltOn(host: string, { domain, label }: Name): boolean {
  if (label.length < RULES.lookAlikeHost.shortest - 1) return false;
  return `.${host}`.includes(`.${domain}.`) || `.${host}`.includes(`.${domain.replaceAll('.', '-')}.`);
}

function isLike({ label }: Name, { label: real }: Name): boolean {
  const { shortest, distance } = RULES.lookAlikeHost;
  if (real.length < shortest) return label === real && real.length >= shortest - 1;
  if (toSkeleton(label) === toSkeleton(real)) return true;
  // Changing two characters of a short word makes a different word.
  const allowed = real.length >= 2 * distance + shortest - 1 ? distance : 1;
  return measureEditDistance(label, real, allowed) <= allowed;
}
