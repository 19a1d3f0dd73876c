import { type Key, redeem } from './api.ts';

/** Where the key of this tab is kept, only when the visitor ticked that. It is gone with the tab. */
const NAME = 'sightline-key';

export function keptKey(): Key | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function keepKey(key: Key): void {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
}

/**
 * The key for the one-time code in the address, which then leaves the address; undefined where there is none.
 * @throws {NoAnswer}
 */
export async function keyOfLink(): Promise<{ key: Key | undefined } | undefined> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  const key = await redeem(code);
  history.replaceState(null, '', `${location.pathname}#/`);
  return { key };
}
