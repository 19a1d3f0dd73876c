import { sourceFor } from './change.ts';
import { addressReader } from './match.ts';
import { ReachSum, type ReportedViolation, type ViolationReach } from './reach.ts';
import type { SourceCandidate } from './suggest.ts';
import { eachInTurns } from './turns.ts';

/** The list item for the origin of the page. */
export const RESPONSE_ORIGIN = 'response-origin';

/** Connections by the pattern that would allow them. */
export interface ConnectionCandidates {
  candidates: SourceCandidate[];
  /** Number of omitted candidates with less reach. */
  others: number;
  /** Reports that no pattern can prevent, such as those of WebRTC. */
  unlisted: ViolationReach;
}

/** Maximum number of candidates that are examined further. */
const MOST_CANDIDATES = 250;

/**
 * Finds the patterns that would allow the connections in Connection-Allowlist reports: each is an origin, which as a
 * URLPattern allows all its paths.
 * @param connections with the address in `blockedUri`
 */
export async function findConnections(
  connections: readonly ReportedViolation[],
): Promise<ConnectionCandidates> {
  const read = addressReader();
  const unlisted = new ReachSum();
  const found = new Map<string, { hosts: Set<string>; sum: ReachSum }>();
  await eachInTurns(connections, connection => {
    const address = toAddress(connection.blockedUri);
    const pattern = toPattern(address, connection.page, read);
    if (pattern === undefined) return unlisted.add(connection);
    const existing = found.get(pattern) ?? { hosts: new Set<string>(), sum: new ReachSum() };
    found.set(pattern, existing);
    existing.sum.add(connection);
    const host = read(address)?.host;
    if (host) existing.hosts.add(host);
  });
  const all = [...found]
    .map(([source, one]) => ({ directive: '', source, ...one, reach: one.sum.total() }))
    .sort((one, other) => other.reach.days - one.reach.days || other.reach.pages - one.reach.pages);
  return {
    candidates: all.slice(0, MOST_CANDIDATES),
    others: Math.max(0, all.length - MOST_CANDIDATES),
    unlisted: unlisted.total(),
  };
}

/** A host that was only resolved is reported without a scheme. */
const toAddress = (connection: string) =>
  /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i.test(connection) ? `https://${connection}` : connection;

function toPattern(
  address: string,
  page: string,
  read: ReturnType<typeof addressReader>,
): string | undefined {
  const source = sourceFor(address, page, read);
  if (source === "'self'") return RESPONSE_ORIGIN;
  return source?.includes('://') ? source : undefined;
}

/** The characters of a string in a structured field (RFC 9651, section 3.3.3). */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Checks whether a pattern can be in the header. */
export const isPattern = (text: string): boolean => text === RESPONSE_ORIGIN || PRINTABLE.test(text);

/** Writes the value of the header: one inner list of a structured field, with the endpoint of its reports. */
export function allowlistText(patterns: readonly string[], endpoint: string): string {
  const items = patterns.map(pattern =>
    pattern === RESPONSE_ORIGIN ? RESPONSE_ORIGIN : `"${pattern.replace(/[\\"]/g, '\\$&')}"`,
  );
  return `(${items.join(' ')});report-to=${endpoint}`;
}
