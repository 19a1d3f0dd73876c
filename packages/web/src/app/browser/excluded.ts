import { useContext, useLayoutEffect } from 'preact/hooks';
import { type Address, replaceAddress, withParams } from './address.ts';
import type { ReportTypeView } from './report-types.ts';
import { FILTERS_BY_TYPE } from './tables.generated.ts';
import { SessionContext } from './use-answer.ts';

/** The filters by which a visitor can exclude a domain from all views. */
const FILTERS = ['blockedHostnames', 'subresourceHostnames'];

/** The entry of the local storage with the domains that a visitor excludes from an account's reports. */
const toEntryName = (account: string) => `sightline-excluded ${account}`;

type Excluded = Record<string, string[]>;

function read(account: string): Excluded {
  try {
    return JSON.parse(localStorage.getItem(toEntryName(account)) ?? '{}');
  } catch {
    return {};
  }
}

function write(account: string, excluded: Excluded): void {
  localStorage.setItem(toEntryName(account), JSON.stringify(excluded));
}

/** Patterns that match a domain and its subdomains. */
export const listPatterns = (domain: string) => [domain, `*.${domain}`];

export function keepExcluded(account: string, filter: string, domain: string): void {
  const excluded = read(account);
  write(account, {
    ...excluded,
    [filter]: [...new Set([...(excluded[filter] ?? []), ...listPatterns(domain)])],
  });
}

export function forgetExcluded(account: string, filter: string, patterns: readonly string[]): void {
  const excluded = read(account);
  const left = (excluded[filter] ?? []).filter(pattern => !patterns.includes(pattern));
  write(account, { ...excluded, [filter]: left });
}

/**
 * A hook that adds the visitor's excluded domains to the address of a view, unless the address filters by the same
 * hosts.
 */
export function useExcluded(address: Address, view: ReportTypeView | undefined): void {
  const { account } = useContext(SessionContext);
  useLayoutEffect(() => {
    const filter = FILTERS.find(name => view && FILTERS_BY_TYPE[view.type].includes(name));
    if (filter === undefined || address.params.has(filter) || address.params.has(`not.${filter}`)) return;
    const patterns = read(account)[filter] ?? [];
    if (patterns.length > 0) replaceAddress(withParams(address, { [`not.${filter}`]: patterns }));
  }, [address, account]);
}
