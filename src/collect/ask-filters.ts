import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountFilters } from '@sightline/collect';
import { Filters } from './filters.ts';

const MINUTE = 60_000;
/** Milliseconds within which a service has to answer. */
const LIMIT = 5000;

export interface AskedFilters {
  of(account: string): AccountFilters | undefined;
  stop(): void;
}

/**
 * The filters of each account whose key is known, asked for each minute. The last answer holds where a new one fails.
 * @param url of the service
 * @param keys by account
 * @param say gets each change: an account without an answer, by its name
 */
export async function askFilters(
  url: string,
  keys: ReadonlyMap<string, string>,
  say: (account: string, problem: string) => void,
): Promise<AskedFilters> {
  const known = new Map<string, Filters>();
  const problems = new Map<string, string>();
  const ending = new AbortController();
  const askAll = async () => {
    for (const [account, key] of keys) {
      const problem = await ask(url, key).then(
        filters => void known.set(account, filters),
        (error: Error) => error.message,
      );
      if (problem && problem !== problems.get(account)) say(account, problem);
      problems.set(account, problem ?? '');
    }
  };
  const goOn = async () => {
    while (!ending.signal.aborted) {
      await sleep(MINUTE, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) await askAll();
    }
  };
  await askAll();
  void goOn();
  return { of: account => known.get(account), stop: () => ending.abort() };
}

async function ask(url: string, key: string): Promise<Filters> {
  const headers = { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(LIMIT);
  const response = await fetch(new URL('/v1/filters', url), { headers, signal, redirect: 'error' });
  if (!response.ok) throw new Error(`it answers with ${response.status}`);
  return new Filters(await response.json());
}
