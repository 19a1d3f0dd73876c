import { useLayoutEffect, useState } from 'preact/hooks';

/** The place of the visitor in the page, without the key. It stands behind the `#`, so that it is never sent. */
export interface Address {
  /** Without slashes: `['csp', 'reports']`. */
  path: readonly string[];
  params: URLSearchParams;
}

/** Reads `#/csp?period=7d`. */
export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decode), params: new URLSearchParams(query) };
}

export function formatAddress({ path, params }: Address): string {
  const query = params.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
}

/** A part that is no valid encoding was typed by hand, and stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function useAddress(): Address {
  const [address, setAddress] = useState(() => readAddress(location.hash));
  // Before the first picture: an address that changes right after it is not missed.
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

/** @param href of a place, as `formatAddress` makes it */
export function follow(href: string): void {
  location.hash = href;
}

/** Goes on from the present address: the answer that has the pressed link may be that of an earlier one. */
export function goOnFromHere(next: (present: Address) => Address): void {
  goTo(next(readAddress(location.hash)));
}

/** The whole address of a place, to be sent to others. */
export const urlOf = (address: Address) => serviceUrl(formatAddress(address));

/** The whole address of what the service has. @param path without the first slash */
export function serviceUrl(path: string): string {
  return new URL(path, location.href.replace(/#.*/s, '')).href;
}

/** The same place with other parameters; undefined takes one away. */
export function changed(
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

/** Another place: of the parameters it keeps those that mean the same everywhere. */
export function elsewhere(
  { params }: Address,
  path: readonly string[],
  keep: readonly string[] = [],
): Address {
  const kept = new URLSearchParams();
  for (const name of ['account', ...keep]) for (const value of params.getAll(name)) kept.append(name, value);
  return { path, params: kept };
}
