import { useLayoutEffect, useState } from 'preact/hooks';

/** The address of a view within the page. It is in the URL's fragment, so browsers never send it. */
export interface Address {
  /** The segments of the path, such as `['csp', 'reports']`. */
  path: readonly string[];
  params: URLSearchParams;
}

/** Parses a fragment such as `#/csp?period=7d`. */
export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decode), params: new URLSearchParams(query) };
}

export function formatAddress({ path, params }: Address): string {
  const query = params.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
}

/** Decodes a segment. A malformed percent-encoding, which a visitor has typed, is returned unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function useAddress(): Address {
  const [address, setAddress] = useState(() => readAddress(location.hash));
  // A layout effect, so that the subscription starts before the first paint and no `hashchange` is missed.
  useLayoutEffect(() => {
    const change = () => setAddress(readAddress(location.hash));
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return address;
}

export function goTo(address: Address): void {
  follow(formatAddress(address));
}

/**
 * Navigates to an address.
 * @param href an address formatted by `formatAddress`
 */
export function follow(href: string): void {
  location.hash = href;
}

/** Navigates to an address that replaces the current one in the history. */
export function replaceAddress(address: Address): void {
  location.replace(formatAddress(address));
}

/**
 * Navigates to an address built from the current one, because the clicked link can belong to the result of an earlier
 * address.
 */
export function goOnFromHere(next: (present: Address) => Address): void {
  goTo(next(readAddress(location.hash)));
}

/** Returns the absolute URL of an address, for sharing. */
export const toUrl = (address: Address) => serviceUrl(formatAddress(address));

/**
 * Returns the absolute URL of a path of the service.
 * @param path without the leading slash
 */
export function serviceUrl(path: string): string {
  return new URL(path, location.href.replace(/#.*/s, '')).href;
}

/** Returns the address with the given parameters replaced. A parameter set to undefined is removed. */
export function withParams(
  { path, params }: Address,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): Address {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of value === undefined ? [] : [value].flat()) next.append(name, one);
  }
  return { path, params: next };
}

/** Returns an address with another path. Only the account and the parameters in `keep` remain. */
export function atPath({ params }: Address, path: readonly string[], keep: readonly string[] = []): Address {
  const kept = new URLSearchParams();
  for (const name of ['account', ...keep]) for (const value of params.getAll(name)) kept.append(name, value);
  return { path, params: kept };
}
