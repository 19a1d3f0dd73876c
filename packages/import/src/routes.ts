import { remembered } from '@sightline/feed/remembered';
import { isHostPattern, normalizeHost } from '@sightline/reports/addresses';

/** A host name, or a pattern with `*` for any run of characters, and the account of what it takes. */
export type Route = readonly [name: string, account: string];

/** A route that is none. */
export class BadRoute extends Error {
  override name = 'BadRoute';
}

/** The accounts of hosts. A name takes itself and all below it; among several, the longest decides. */
export class Routes {
  readonly accounts: readonly string[];
  #names = new Map<string, string>();
  /** The longest first. */
  #patterns: { length: number; matches: RegExp; account: string }[] = [];
  readonly accountOf = remembered(host => this.#find(normalizeHost(host)));

  /** @throws {BadRoute} for what is no host name, or one of two accounts */
  constructor(routes: readonly Route[]) {
    this.accounts = [...new Set(routes.map(([, account]) => account))];
    for (const [name, account] of routes) this.#add(normalizeHost(name), name, account);
    this.#patterns.sort((one, other) => other.length - one.length);
  }

  #add(key: string, name: string, account: string): void {
    if (!/^[^\s/@]+$/.test(key) || !isHostPattern(key)) throw new BadRoute(`"${name}" is no host name`);
    const other = this.#names.get(key);
    if (other !== undefined && other !== account)
      throw new BadRoute(`"${name}" is routed to both ${other} and ${account}`);
    this.#names.set(key, account);
    if (key.includes('*')) this.#patterns.push({ length: key.length, matches: expressionOf(key), account });
  }

  #find(host: string): string | undefined {
    const pattern = this.#patterns.find(({ matches }) => matches.test(host));
    for (let name = host; name.length > (pattern?.length ?? 0); name = above(name)) {
      const account = this.#names.get(name);
      if (account !== undefined) return account;
    }
    return pattern?.account;
  }
}

/** `acme.example` of `shop.acme.example`; '' of what has nothing above it. */
function above(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map(part => part.replace(/[.[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
