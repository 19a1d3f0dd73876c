/** A service that is asked with the key of an account. */
interface Ask {
  graphql<Data>(query: string, variables: object): Promise<Data>;
}

/** A sign as `/graphql` has it. Its title, detail and subject hold what strangers wrote. */
export interface Sign {
  id: string;
  kind: string;
  severity: (typeof SEVERITIES)[number];
  title: string;
  detail: string;
  subject: string;
  firstSeen: string;
  lastSeen: string;
  count: number;
  usual: number;
  /** A path of the service's page, with its fragment. */
  link: string;
  query: string | null;
}

/** The most urgent first. */
export const SEVERITIES = ['threat', 'incident', 'change', 'notice'] as const;
export type Severity = Sign['severity'];

const SIGNS = `query Signs($since: Instant) {
  viewer {
    signs(since: $since) {
      id kind severity title detail subject firstSeen lastSeen count usual link query
    }
  }
}`;

/**
 * The signs that began since then, and those that last; the most severe first. Without a time they are those of the
 * service's last seven days. @throws {AskFailed}
 */
export async function signsSince(ask: Ask, since?: Date): Promise<Sign[]> {
  return (await ask.graphql<{ signs: Sign[] }>(SIGNS, { since: since?.toISOString() })).signs;
}

/** @param least the least urgent that is wanted */
export function isAtLeast({ severity }: Sign, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}
