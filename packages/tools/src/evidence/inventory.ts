import type { Groups, ScriptVerdict } from './question.ts';

/** The scope of the evidence: a site, its payment paths (all paths if there are none), and a period. */
export interface Scope {
  site: string;
  paths: readonly string[];
  /** The start and the end (exclusive), in ISO 8601. */
  from: string;
  to: string;
}

export type Status = 'authorised' | 'unauthorised' | 'changed';

/** A script that browsers reported on these pages. */
export interface Script {
  /** The URL without its query, or `inline` or `eval` for code within a page. */
  address: string;
  status: Status;
  /** The verdict that authorises the script. */
  verdict: ScriptVerdict | null;
  /** The hashes of its content that browsers reported. */
  hashes: string[];
  /** Hashes that no verdict authorises. */
  foreignHashes: string[];
  /** True if the script was reported as a policy violation. */
  isViolation: boolean;
  pages: string[];
  reports: number;
  firstSeen: string;
  lastSeen: string;
}

type Draft = Omit<Script, 'status' | 'verdict' | 'foreignHashes' | 'hashes' | 'pages'> & {
  hashes: Set<string>;
  pages: Set<string>;
};

/** Collects scripts by address. */
export class Inventory {
  readonly #scripts = new Map<string, Draft>();

  add(seen: Groups, isViolation: boolean): void {
    for (const { keys, count, firstSeen, lastSeen } of seen?.groups ?? []) {
      const value = (name: string) => keys.find(({ by }) => by === name)?.value ?? '';
      const address = value('SUBRESOURCE') || value('BLOCKED_URI');
      if (address === '') continue;
      const existing = this.#scripts.get(address);
      const script: Draft = existing ?? {
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

  /** Returns the scripts: first those that need attention, then the others, each sorted by address. */
  scripts(verdicts: readonly ScriptVerdict[]): Script[] {
    const scripts = [...this.#scripts.values()].map(draft => judgeScript(draft, verdicts));
    const rank: Record<Status, number> = { unauthorised: 0, changed: 1, authorised: 2 };
    return scripts.sort(
      (one, other) => rank[one.status] - rank[other.status] || (one.address < other.address ? -1 : 1),
    );
  }
}

/**
 * Compares a script with the verdicts.
 * @param verdicts the verdicts that authorise scripts
 */
function judgeScript({ hashes, pages, ...draft }: Draft, verdicts: readonly ScriptVerdict[]): Script {
  const verdict = verdicts.find(({ subject }) => matches(subject, draft.address)) ?? null;
  const isForeign = (hash: string) => verdict !== null && !verdict.hashes.includes(hash);
  const foreignHashes = verdict?.hashes.length ? [...hashes].filter(isForeign) : [];
  const status = !verdict ? 'unauthorised' : foreignHashes.length > 0 ? 'changed' : 'authorised';
  return {
    ...draft,
    status,
    verdict,
    hashes: [...hashes].sort(),
    foreignHashes: foreignHashes.sort(),
    pages: [...pages].sort(),
  };
}

/** Matches an address against a pattern in which `*` stands for any characters, in linear time. */
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
