import { useContext, useLayoutEffect } from 'preact/hooks';
import { type Address, replaceAddress, withParams } from './address.ts';
import type { ReportTypeView } from './report-types.ts';
import { FILTERS_BY_TYPE } from './tables.generated.ts';
import { SessionContext } from './use-answer.ts';

/** The entry of the local storage with the domains that a visitor excludes from an account's reports. */
const toEntryName = (account: string) => `sightline-excluded ${account}`;

/** Patterns of hosts by filter, such as `blockedHostnames`. */
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

export function forgetExcluded(account: string, filter: string, pattern: string): void {
  const { [filter]: patterns, ...others } = read(account);
  if (!patterns?.includes(pattern)) return;
  const left = patterns.filter(other => other !== pattern);
  write(account, left.length > 0 ? { ...others, [filter]: left } : others);
}

/**
 * A hook that adds the visitor's excluded domains to the address of a view, unless the address filters by the same
 * hosts.
 */
export function useExcluded(address: Address, view: ReportTypeView | undefined): void {
  const { account } = useContext(SessionContext);
  useLayoutEffect(() => {
    const isMissing = (filter: string) =>
      view &&
      FILTERS_BY_TYPE[view.type].includes(filter) &&
      !address.params.has(filter) &&
      !address.params.has(`not.${filter}`);
    const missing = Object.entries(read(account)).filter(([filter]) => isMissing(filter));
    if (missing.length === 0) return;
    const params = missing.map(([filter, patterns]) => [`not.${filter}`, patterns]);
    replaceAddress(withParams(address, Object.fromEntries(params)));
  }, [address, account]);
}
