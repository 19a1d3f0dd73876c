import { SightlineError } from '@sightline/client';
import { ConnectionLost, findCode, ServerError } from '@sightline/pg-client';
import { describeServiceError, onOneLine, UNTRUSTED_CERTIFICATE } from '@sightline/tools';

/** Error codes of the system. */
const UNREACHABLE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT(?:ION)?_\w+)$/;

/** PostgreSQL's codes contain a digit, unlike the system's. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Describes a failure in one sentence for the operator, without a stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SightlineError) return describeServiceError(error);
  const code = findCode(error);
  // A server's message must not start a line that looks like one of ours.
  const message = onOneLine(error.message);
  if (UNTRUSTED_CERTIFICATE.test(code)) return `The database presents an untrusted certificate: ${message}`;
  if (error instanceof ServerError || SQL_STATE.test(code)) return `The database refuses: ${message}`;
  const isUnreachable = error instanceof ConnectionLost || UNREACHABLE.test(code);
  return isUnreachable ? `The database cannot be reached: ${message}` : error.message;
}
