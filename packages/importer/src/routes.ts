import { remembered } from '@sightline/feed';
import { isHostPattern, normalizeHost } from '@sightline/reports';

/** A host name or a pattern, in which `*` matches any characters, and its account. */
export type AccountRoute = readonly [name: string, account: string];

/** An invalid route. */
export class BadRoute extends Error {
  override name = 'BadRoute';
}

/** Maps host names to accounts. A route matches its name and all subdomains. An exact name wins, or the longest match. */
export class Routes {
  readonly accounts: readonly string[];
  #names = new Map<string, string>();
  /** Patterns, longest first. */
  #patterns: { length: number; matches: RegExp; account: string }[] = [];
  /** All routes in a canonical order, so that the same routes have the same text. */
  readonly text: string;
  readonly accountOf = remembered(host => this.#find(normalizeHost(host)));

  /** @throws {BadRoute} for an invalid host name, or one with two accounts */
  constructor(routes: readonly AccountRoute[]) {
    this.accounts = [...new Set(routes.map(([, account]) => account))];
    for (const [name, account] of routes) this.#add(normalizeHost(name), name, account);
    this.text = JSON.stringify([...this.#names].sort(([one], [other]) => (one < other ? -1 : 1)));
    this.#patterns.sort((one, other) => other.length - one.length);
  }

  #add(key: string, name: string, account: string): void {
    if (!/^[^\s/@]+$/.test(key) || !isHostPattern(key)) throw new BadRoute(`"${name}" is not a host name`);
    const other = this.#names.get(key);
    if (other !== undefined && other !== account)
      throw new BadRoute(`"${name}" is routed to both ${other} and ${account}`);
    this.#names.set(key, account);
    if (key.includes('*')) this.#patterns.push({ length: key.length, matches: toExpression(key), account });
  }

  #find(host: string): string | undefined {
    const exact = this.#names.get(host);
    if (exact !== undefined) return exact;
    const pattern = this.#patterns.find(({ matches }) => matches.test(host));
    for (let name = above(host); name.length > (pattern?.length ?? 0); name = above(name)) {
      const account = this.#names.get(name);
      if (account !== undefined) return account;
    }
    return pattern?.account;
  }
}

/** Returns the parent of a name, `acme.example` for `shop.acme.example`, or '' if there is none. */
function above(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map(part => part.replace(/[.[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
