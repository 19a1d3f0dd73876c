import { ConnectionLost } from '@sightline/postgres';

/** Codes of the system. */
const UNREACHABLE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT(?:ION)?_\w+)$/;

/** Node's codes for faults of a certificate. */
const UNTRUSTED = /CERT|VERIFY/;

/** PostgreSQL's own codes have a digit in them, unlike the system's. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** A failure in one sentence for the operator: never a stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (UNTRUSTED.test(code)) return `The database shows a certificate that is not trusted: ${error.message}`;
  if (SQL_STATE.test(code)) return `The database refuses: ${error.message}`;
  const isUnreachable = error instanceof ConnectionLost || UNREACHABLE.test(code);
  return isUnreachable ? `The database cannot be reached: ${error.message}` : error.message;
}

/** Its own, or that of what it came from. */
function codeOf({ code, cause }: Error & { code?: unknown }): string {
  return cause instanceof Error ? codeOf(cause) : String(code);
}
