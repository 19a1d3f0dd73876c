import type { Address } from '../../address.ts';
import type { TryMailPolicyQuery } from '../../documents/documents.generated.ts';
import { periodIn, toSpan } from '../../period.ts';

/** The result of replaying a DMARC policy. */
export type DmarcReplayResult = NonNullable<NonNullable<TryMailPolicyQuery['account']>['dmarcReplay']>;

/** The initial policy of the form: the strictest one, which most domains aim for. */
export const FIRST_POLICY = 'v=DMARC1; p=reject';

/** Returns the start and end of an address's period, in the form that queries accept. */
export function toInstants(address: Address): { from: string; to: string | null } {
  const { from, to } = toSpan(periodIn(address));
  const iso = (at: number) => new Date(at).toISOString();
  return { from: iso(from), to: to === undefined ? null : iso(to) };
}
