import { type DatabaseAddress, type Host, parseAddress, type SessionKind } from './address.ts';
import { Attempts } from './attempts.ts';

/** How long a failed host is tried last, in milliseconds. */
const BEHIND = 30_000;

/** A host to try, and the kind of session to accept there. */
export interface HostCandidate {
  host: Host;
  kind: Exclude<SessionKind, 'prefer-standby'>;
}

/**
 * The hosts of an address with their recent failures, shared by all connections. Failed hosts are tried last, so that
 * an unresponsive host does not delay every connection.
 */
export class Hosts {
  readonly address: DatabaseAddress;
  readonly attempts = new Attempts();
  /** When each host failed, by the monotonic clock. */
  #failedAt = new Map<Host, number>();

  /**
   * Parses the address.
   * @throws {AddressError}
   */
  constructor(url: string) {
    this.address = parseAddress(url);
  }

  /**
   * Returns the hosts in the order in which to try them. If the kind of session is only preferred, all hosts are listed
   * again without it.
   */
  candidates(): HostCandidate[] {
    const { session } = this.address;
    const hosts = this.#inOrder();
    if (session !== 'prefer-standby') return hosts.map(host => ({ host, kind: session }));
    return (['standby', 'any'] as const).flatMap(kind => hosts.map(host => ({ host, kind })));
  }

  failed(host: Host): void {
    this.#failedAt.set(host, performance.now());
  }

  noteSuccess(host: Host): void {
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
