import { findCode } from '@sightline/pg-client';
import { UNTRUSTED_CERTIFICATE } from '@sightline/tools';
import { type Diagnosis, fault } from './finding.ts';

/** Advice for an error. The text ends with the setting's name. */
interface Advice {
  /** The SQLSTATE of PostgreSQL, or an error code of Node. */
  code?: RegExp;
  message?: RegExp;
  remedy: string;
}

/** The first match is used. `$1` is a name in the message, `$SETTING` the setting with the URL. */
const ADVICE: readonly Advice[] = [
  { message: /unsupported startup parameter/, remedy: 'this is PgBouncer: set DATABASE_PREPARE=false' },
  {
    message: /too many connections for role "([^"]+)"/,
    remedy: 'raise the limit of the role: alter role "$1" connection limit -1',
  },
  {
    message: /too many connections for database "([^"]+)"/,
    remedy: 'raise the limit of the database: alter database "$1" connection limit -1',
  },
  { code: /^53300$/, remedy: 'raise max_connections, or end other sessions of the server in $SETTING' },
  {
    message: /role "([^"]+)" is not permitted to log in/,
    remedy: 'let it log in: alter role "$1" login; or name another login in $SETTING',
  },
  {
    message: /(?:no encryption|SSL off)/,
    remedy:
      'the server takes encrypted connections only: set sslmode=require in $SETTING, or better verify-full',
  },
  { code: /^28000$/, remedy: 'give the login a line in pg_hba.conf, or name another one in $SETTING' },
  {
    code: /^28P01$/,
    remedy: 'correct user and password in $SETTING; a password may have expired: see \\du in psql',
  },
  {
    code: /^3D000$/,
    remedy: 'create the database, as docs/operations.md shows, or name another one in $SETTING',
  },
  {
    message: /permission denied for database "?([^"]+)"?/,
    remedy: 'let the login connect: grant connect on database "$1" to the login of $SETTING',
  },
  {
    message: /database "([^"]+)" is not currently accepting connections/,
    remedy: 'open it again: alter database "$1" allow_connections true',
  },
  {
    code: /^57P03$/,
    remedy: 'wait until the server has started, and check its log; it is the server of $SETTING',
  },
  { code: /CERT_HAS_EXPIRED/, remedy: 'renew the certificate of the server in $SETTING' },
  {
    code: /ALTNAME_INVALID/,
    remedy:
      'name the server in $SETTING by a name that its certificate has, or have it certified for this name',
  },
  {
    code: UNTRUSTED_CERTIFICATE,
    remedy: 'name the authority of its certificate with sslrootcert in $SETTING',
  },
  {
    message: /does not speak TLS \(sslmode/,
    remedy: 'set ssl = on at the server; where the network is trusted, set sslmode=disable in $SETTING',
  },
  {
    code: /^(?:ENOTFOUND|EAI_AGAIN)$/,
    remedy: 'correct the host name in $SETTING, or the DNS of this machine',
  },
  {
    code: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    remedy: 'check firewalls and routes to the host, or correct the host of $SETTING',
  },
];

/**
 * Diagnoses a database that cannot be opened.
 * @param setting that contains its URL
 */
export function unreachable(check: string, error: unknown, setting: string): Diagnosis {
  const code = findCode(error as Error);
  const { message } = error as Error;
  const fits = (advice: Advice) =>
    (advice.code?.test(code) ?? true) && (advice.message?.test(message) ?? true);
  const advice = ADVICE.find(fits);
  if (!advice)
    return fault(check, message, `start PostgreSQL, or correct host, port and parameters of ${setting}`);
  const name = advice.message?.exec(message)?.[1] ?? '';
  const remedy = advice.remedy.replace(/\$1|\$SETTING/g, place => (place === '$1' ? name : setting));
  return fault(check, message, remedy);
}
