import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { AddressError, parseUri } from './uri.ts';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const TLS_VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
const SESSION_KINDS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/**
 * Authentication methods by their names in `require_auth`. `none` means that the server requests nothing: trust, or a
 * client certificate.
 */
const AUTHENTICATION_METHODS = ['scram-sha-256', 'md5', 'password', 'none'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

export type SslMode = (typeof SSL_MODES)[number];
export type TlsVersion = (typeof TLS_VERSIONS)[number];

/** The required kind of session (`target_session_attrs`). */
export type SessionKind = (typeof SESSION_KINDS)[number];

export interface Host {
  /** The name to verify in the certificate and to look up in the password file. */
  name: string;
  port: number;
  /** The address to connect to, if it differs from the name. */
  address: string;
  path: string | undefined;
}

/** The encryption of a connection. Files are read for each connection, because they can be renewed. */
export interface Encryption {
  mode: SslMode;
  /** True to start TLS without a prior request (PostgreSQL 17). */
  isDirect: boolean;
  /** Path of the CA certificates; `system` or undefined for the authorities that Node trusts. */
  rootCertificate: string | undefined;
  revocationList: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
  password: string | undefined;
  /** True if the client sends the host name (SNI). */
  sendsName: boolean;
  minVersion: TlsVersion | undefined;
  maxVersion: TlsVersion | undefined;
}

/** Location and connection options of a database, parsed as by libpq (PostgreSQL manual, 34.1). */
export interface DatabaseAddress {
  hosts: readonly Host[];
  /** True if the hosts are tried in random order. */
  isBalanced: boolean;
  session: SessionKind;
  /** Connect timeout per host in milliseconds; undefined if the address has none. */
  connectTimeout: number | undefined;
  /** Idle milliseconds until TCP keep-alive probes start; undefined to disable them. */
  keepAlive: number | undefined;
  user: string;
  /** The password; undefined to look it up in the password file. */
  password: string | undefined;
  /** The path of the password file; undefined for the default. */
  passwordFile: string | undefined;
  database: string;
  applicationName: string | undefined;
  /** The server's command-line options. */
  options: string | undefined;
  encryption: Encryption;
  channelBinding: 'disable' | 'prefer' | 'require';
  /** The authentication methods that a server can request. */
  methods: ReadonlySet<AuthenticationMethod>;
}

const DEFAULT_PORT = 5432;

/** Default keep-alive time, in milliseconds. */
const KEEP_ALIVE = 60_000;

/**
 * @param uri `postgres://user:password@host:port,…/database?keyword=value&…`
 * @throws {AddressError} for anything that libpq would refuse, and for unsupported keywords
 */
export function parseAddress(uri: string): DatabaseAddress {
  const keywords = new Keywords(parseUri(uri));
  const user = keywords.text('user') ?? systemUser();
  const address: DatabaseAddress = {
    hosts: listHosts(keywords),
    isBalanced: keywords.choice('load_balance_hosts', ['disable', 'random'], 'disable') === 'random',
    session: keywords.choice('target_session_attrs', SESSION_KINDS, 'any'),
    connectTimeout: getTimeout(keywords),
    keepAlive: getKeepAlive(keywords),
    user,
    password: keywords.text('password'),
    passwordFile: keywords.text('passfile'),
    database: keywords.text('dbname') ?? user,
    applicationName: keywords.text('application_name'),
    options: keywords.text('options'),
    encryption: getEncryption(keywords),
    channelBinding: keywords.choice('channel_binding', ['disable', 'prefer', 'require'], 'prefer'),
    methods: listMethods(keywords),
  };
  // Only UTF-8 and no GSSAPI are supported, so keywords that allow this are accepted and ignored.
  keywords.choice('client_encoding', ['utf8', 'UTF8', 'utf-8', 'UTF-8', 'auto'], 'UTF8');
  keywords.choice('gssencmode', ['disable', 'prefer'], 'disable');
  keywords.requireNoOthers();
  return address;
}

/** Returns the name of the system user. In a container, a user can have an id without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new AddressError('names no user, and the user of this process has no name');
  }
}

/** The keywords of an address. A keyword that is never read is an error. */
class Keywords {
  #values: Map<string, string>;

  constructor(values: Map<string, string>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value;
  }

  /** Returns the comma-separated items of a keyword. */
  list(name: string): string[] | undefined {
    return this.text(name)?.split(',');
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (choices.includes(value as Choice)) return value as Choice;
    throw new AddressError(`has a ${name} that is not one of ${choices.join(', ')}`);
  }

  whole(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined || /^-?\d{1,9}$/.test(value)) return value === undefined ? value : Number(value);
    throw new AddressError(`has a ${name} that is not an integer`);
  }

  requireNoOthers(): void {
    const [name] = this.#values.keys();
    if (name === undefined) return;
    throw new AddressError(
      `has the parameter "${name}", which is unknown: pass server settings as options=-c%20name=value`,
    );
  }
}

/**
 * Lists the hosts. IPv6 addresses have no brackets, and a name that begins with a slash is the folder of a Unix socket.
 */
function listHosts(keywords: Keywords): Host[] {
  const addresses = keywords.list('hostaddr');
  const names = keywords.list('host') ?? addresses ?? ['localhost'];
  const ports = keywords.list('port') ?? [''];
  if (addresses && addresses.length !== names.length)
    throw new AddressError('has different numbers of addresses in hostaddr and of hosts');
  if (ports.length > 1 && ports.length !== names.length)
    throw new AddressError('has different numbers of ports and of hosts');
  return names.map((name, index) => {
    const port = getPort(ports.length === 1 ? ports[0]! : ports[index]!);
    const path = isAbsolute(name) ? `${name.replace(/\/+$/, '')}/.s.PGSQL.${port}` : undefined;
    const existing = name || 'localhost';
    return { name: existing, port, address: addresses?.[index] || existing, path };
  });
}

function getPort(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new AddressError('has a port that is not an integer from 1 to 65535');
}

/** Returns the connect timeout. Zero and negative values mean no limit, as in libpq. */
function getTimeout(keywords: Keywords): number | undefined {
  const seconds = keywords.whole('connect_timeout');
  if (seconds === undefined) return undefined;
  return seconds > 0 ? seconds * 1000 : 0;
}

function getKeepAlive(keywords: Keywords): number | undefined {
  const isOn = keywords.choice('keepalives', ['0', '1'], '1') === '1';
  const seconds = keywords.whole('keepalives_idle') ?? 0;
  if (!isOn) return undefined;
  return seconds > 0 ? seconds * 1000 : KEEP_ALIVE;
}

/** Checks whether the mode verifies the server's certificate. */
export const looksAtCertificates = (mode: SslMode) => mode === 'verify-ca' || mode === 'verify-full';

function getEncryption(keywords: Keywords): Encryption {
  const rootCertificate = keywords.text('sslrootcert');
  const defaultMode = rootCertificate === 'system' ? 'verify-full' : 'prefer';
  const mode = keywords.choice('sslmode', SSL_MODES, defaultMode);
  const isDirect = keywords.choice('sslnegotiation', ['postgres', 'direct'], 'postgres') === 'direct';
  if (rootCertificate === 'system' && mode !== 'verify-full')
    throw new AddressError('has sslrootcert=system, which needs sslmode=verify-full');
  // As in libpq: anybody can get a certificate from a public authority, and this mode does not check the host name.
  if (mode === 'verify-ca' && !rootCertificate)
    throw new AddressError('has sslmode=verify-ca, which needs sslrootcert; verify-full needs none');
  if (isDirect && ['disable', 'allow', 'prefer'].includes(mode))
    throw new AddressError('has sslnegotiation=direct, which needs sslmode=require or a stricter one');
  const certificate = keywords.text('sslcert');
  const key = keywords.text('sslkey');
  if (!certificate !== !key) throw new AddressError('needs both sslcert and sslkey, or neither');
  return {
    // As in libpq: a configured authority is used for verification.
    mode: mode === 'require' && rootCertificate ? 'verify-ca' : mode,
    isDirect,
    rootCertificate,
    revocationList: keywords.text('sslcrl'),
    certificate,
    key,
    password: keywords.text('sslpassword'),
    sendsName: keywords.choice('sslsni', ['0', '1'], '1') === '1',
    minVersion: getVersion(keywords, 'ssl_min_protocol_version'),
    maxVersion: getVersion(keywords, 'ssl_max_protocol_version'),
  };
}

function getVersion(keywords: Keywords, name: string): TlsVersion | undefined {
  return keywords.choice<TlsVersion | ''>(name, TLS_VERSIONS, '') || undefined;
}

/** Parses `scram-sha-256,none`, or excluded methods: `!password,!md5`. */
function listMethods(keywords: Keywords): Set<AuthenticationMethod> {
  const items = keywords.list('require_auth');
  if (!items) return new Set(AUTHENTICATION_METHODS);
  const isNegated = items.every(item => item.startsWith('!'));
  const named = items.map(item => (isNegated ? item.slice(1) : item)) as AuthenticationMethod[];
  if (!named.every(name => AUTHENTICATION_METHODS.includes(name)))
    throw new AddressError(
      `has a require_auth with an item that is not one of ${AUTHENTICATION_METHODS.join(', ')}`,
    );
  return new Set(AUTHENTICATION_METHODS.filter(name => named.includes(name) !== isNegated));
}
