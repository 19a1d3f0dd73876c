import { type DatabaseAddress, type Host, parseAddress, type SessionKind } from './address.ts';
import { Attempts } from './attempts.ts';

/** Milliseconds for which a host that failed stands behind the others. */
const BEHIND = 30_000;

/** A host to try, and what kind of a session is taken there. */
export interface Candidate {
  host: Host;
  kind: Exclude<SessionKind, 'prefer-standby'>;
}

/**
 * The hosts of an address, for all connections to it: which of them failed lately. Those are tried last, so that one
 * that is silent does not take the time of every connection.
 */
export class Hosts {
  readonly address: DatabaseAddress;
  readonly attempts = new Attempts();
  /** When they failed, by the monotonic clock. */
  #failedAt = new Map<Host, number>();

  /** @throws {AddressError} */
  constructor(url: string) {
    this.address = parseAddress(url);
  }

  /** All of them in the order in which to try them; twice, where any is as good as none of the kind preferred. */
  candidates(): Candidate[] {
    const { session } = this.address;
    const hosts = this.#inOrder();
    if (session !== 'prefer-standby') return hosts.map(host => ({ host, kind: session }));
    return (['standby', 'any'] as const).flatMap(kind => hosts.map(host => ({ host, kind })));
  }

  failed(host: Host): void {
    this.#failedAt.set(host, performance.now());
  }

  worked(host: Host): void {
    this.#failedAt.delete(host);
  }

  #inOrder(): Host[] {
    const { hosts, isBalanced } = this.address;
    const chances = new Map(hosts.map((host, index) => [host, isBalanced ? Math.random() : index]));
    const since = performance.now() - BEHIND;
    const failure = (host: Host) => Math.max(0, (this.#failedAt.get(host) ?? since) - since);
    return hosts.toSorted((a, b) => failure(a) - failure(b) || chances.get(a)! - chances.get(b)!);
  }
}
