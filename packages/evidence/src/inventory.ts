import type { Authorisation, Groups } from './question.ts';

/** The scope of evidence: a site, its payment paths (all, where there are none), and a period. */
export interface Scope {
  site: string;
  paths: readonly string[];
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  to: string;
}

export type Status = 'authorised' | 'unauthorised' | 'changed';

/** A script that browsers reported from the pages. */
export interface Script {
  /** Without its query; `inline` and `eval` for code within a page. */
  address: string;
  status: Status;
  authorisation: Authorisation | null;
  /** Hashes of its content, where browsers reported them. */
  hashes: string[];
  /** Those that are not authorised. */
  foreignHashes: string[];
  /** True if a policy reported it as a violation. */
  isViolation: boolean;
  pages: string[];
  reports: number;
  firstSeen: string;
  lastSeen: string;
}

type Draft = Omit<Script, 'status' | 'authorisation' | 'foreignHashes' | 'hashes' | 'pages'> & {
  hashes: Set<string>;
  pages: Set<string>;
};

/** Scripts by their address. */
export class Inventory {
  readonly #scripts = new Map<string, Draft>();

  add({ groups }: Groups, isViolation: boolean): void {
    for (const { keys, count, firstSeen, lastSeen } of groups) {
      const value = (name: string) => keys.find(({ by }) => by === name)?.value ?? '';
      const address = value('SUBRESOURCE') || value('BLOCKED_URI');
      if (address === '') continue;
      const known = this.#scripts.get(address);
      const script: Draft = known ?? {
        address,
        hashes: new Set(),
        pages: new Set(),
        isViolation: false,
        reports: 0,
        firstSeen,
        lastSeen,
      };
      this.#scripts.set(address, script);
      script.reports += count;
      script.isViolation ||= isViolation;
      if (firstSeen < script.firstSeen) script.firstSeen = firstSeen;
      if (lastSeen > script.lastSeen) script.lastSeen = lastSeen;
      if (value('HASH') !== '') script.hashes.add(value('HASH'));
      script.pages.add(value('PAGE'));
    }
  }

  /** Those that need a look first, then by address. */
  scripts(authorisations: readonly Authorisation[]): Script[] {
    const scripts = [...this.#scripts.values()].map(draft => judged(draft, authorisations));
    const rank: Record<Status, number> = { unauthorised: 0, changed: 1, authorised: 2 };
    return scripts.sort(
      (one, other) => rank[one.status] - rank[other.status] || (one.address < other.address ? -1 : 1),
    );
  }
}

function judged({ hashes, pages, ...draft }: Draft, authorisations: readonly Authorisation[]): Script {
  const authorisation = authorisations.find(({ pattern }) => matches(pattern, draft.address)) ?? null;
  const isForeign = (hash: string) => authorisation !== null && !authorisation.hashes.includes(hash);
  const foreignHashes = authorisation?.hashes.length ? [...hashes].filter(isForeign) : [];
  const status = !authorisation ? 'unauthorised' : foreignHashes.length > 0 ? 'changed' : 'authorised';
  return {
    ...draft,
    status,
    authorisation,
    hashes: [...hashes].sort(),
    foreignHashes: foreignHashes.sort(),
    pages: [...pages].sort(),
  };
}

/** Tells whether an address is that of a pattern, in which `*` stands for any characters. It takes linear time. */
export function matches(pattern: string, address: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!address.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return address === first;
  let at = first.length;
  for (const part of rest) {
    const found = address.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return address.length - last.length >= at && address.endsWith(last);
}
