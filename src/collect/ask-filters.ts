import { type Client, createClient } from '@sightline/client';
import type { AccountFilters, PlanQuota } from '@sightline/collector';
import * as z from 'zod';
import { Filters } from './filters.ts';

/** The time limit for the service's response for an account, in milliseconds, including all retries. */
const LIMIT = 5000;

const quota = z.object({ used: z.number(), limit: z.number() });

export interface RemoteFilters {
  of(account: string): AccountFilters | undefined;
  getQuota(account: string): PlanQuota | undefined;
  /** Requests the filters of all accounts. If a request fails, the previous response stays in use. */
  ask(): Promise<void>;
}

/**
 * Fetches the filters and the quota of each account whose key is configured.
 * @param url of the service
 * @param keys by account
 * @param say called when an account cannot be updated, and when it works again
 */
export function createRemoteFilters(
  url: string,
  keys: ReadonlyMap<string, string>,
  say: (account: string, problem: string) => void,
): RemoteFilters {
  const seen = new Map<string, Filters>();
  const quotas = new Map<string, PlanQuota>();
  const problems = new Map<string, string>();
  const clients = [...keys].map(([account, key]) => [account, createClient({ baseUrl: url, key })] as const);
  return {
    of: account => seen.get(account),
    getQuota: account => quotas.get(account),
    async ask() {
      for (const [account, client] of clients) {
        const problem = await loadLimits(client).then(
          ({ filters, quota: answered }) => {
            seen.set(account, filters);
            quotas.set(account, answered);
            return undefined;
          },
          (error: Error) => error.message,
        );
        if (problem && problem !== problems.get(account)) say(account, problem);
        problems.set(account, problem ?? '');
      }
    },
  };
}

async function loadLimits(client: Client): Promise<{ filters: Filters; quota: PlanQuota }> {
  const month = new Date().toISOString().slice(0, 7);
  const options = { signal: AbortSignal.timeout(LIMIT) };
  const filters = await client.get('/v1/filters', {}, options);
  const used = await client.get('/v1/quota', {}, options);
  return { filters: new Filters(filters), quota: { ...quota.parse(used), month } };
}
