/** Of the system, and of the driver. */
const UNREACHABLE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT(?:ION)?_\w+)$/;

/** Of Node, for what is wrong with a certificate. */
const UNTRUSTED = /CERT|VERIFY/;

/** PostgreSQL's own codes have a digit in them, unlike the system's. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** A failure in one sentence for the operator: never a stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = String((error as { code?: unknown }).code);
  if (UNREACHABLE.test(code)) return `The database cannot be reached: ${messageOf(error)}`;
  if (UNTRUSTED.test(code))
    return `The database shows a certificate that is not trusted: ${messageOf(error)}`;
  if (SQL_STATE.test(code)) return `The database refuses: ${messageOf(error)}`;
  return messageOf(error);
}

/** Where every one of a host's addresses fails, only the parts say how. */
function messageOf(error: Error): string {
  const parts: unknown[] = error instanceof AggregateError && !error.message ? error.errors : [error];
  return parts.map(part => (part instanceof Error ? part.message || part.name : String(part))).join('; ');
}
