import { type Finding, fault } from './finding.ts';

/** Advice by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'correct user and password in',
  '28000': 'give the login a line in pg_hba.conf, or name another one in',
  '3D000': 'create the database, as docs/operations.md shows, or name another one in',
  '53300': 'raise max_connections, or end other sessions of the server in',
};

/** Node's codes for faults of a certificate. */
const UNTRUSTED = /CERT|VERIFY/;

/**
 * A database that no session begins on.
 * @param setting the one that has its address
 */
export function unreachable(check: string, error: unknown, setting: string): Finding {
  const code = codeOf(error);
  const { message } = error as Error;
  const refusal = REFUSALS[code];
  if (refusal) return fault(check, message, `${refusal} ${setting}`);
  if (UNTRUSTED.test(code)) {
    return fault(check, message, `name the authority of its certificate with sslrootcert in ${setting}`);
  }
  return fault(check, message, `start PostgreSQL, or correct host, port and parameters of ${setting}`);
}

/** The innermost: of the system, or of PostgreSQL. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return cause === undefined ? String(code) : codeOf(cause);
}
