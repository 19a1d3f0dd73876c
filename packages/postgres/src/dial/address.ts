import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { AddressError, parseUri } from './uri.ts';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const TLS_VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
const SESSION_KINDS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/** The ways to authenticate, as `require_auth` names them. `none` is no way: trust, or a certificate. */
const AUTHENTICATION_METHODS = ['scram-sha-256', 'md5', 'password', 'none'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

export type SslMode = (typeof SSL_MODES)[number];
export type TlsVersion = (typeof TLS_VERSIONS)[number];

/** The kind of session that the address wants (`target_session_attrs`). */
export type SessionKind = (typeof SESSION_KINDS)[number];

export interface Host {
  /** The name that its certificate has to show, and that a password file knows it by. */
  name: string;
  port: number;
  /** The address to connect to, where that is not the name. */
  address: string;
  path: string | undefined;
}

/** The encryption of a connection. Files are named here, and read for each connection: they may be renewed. */
export interface Encryption {
  mode: SslMode;
  /** Begins with TLS, without asking the server before (PostgreSQL 17). */
  isDirect: boolean;
  /** `system` for the authorities that Node trusts; undefined for those, too, where certificates are looked at. */
  rootCertificate: string | undefined;
  revocationList: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
  password: string | undefined;
  /** True if the server is told which name it is asked for. */
  sendsName: boolean;
  minVersion: TlsVersion | undefined;
  maxVersion: TlsVersion | undefined;
}

/** The place of a database and the way to speak to it, as libpq reads the same address (PostgreSQL manual, 34.1). */
export interface DatabaseAddress {
  hosts: readonly Host[];
  /** True if they are tried in an order of chance. */
  isBalanced: boolean;
  session: SessionKind;
  /** Milliseconds that a host may take; undefined where the address does not say. */
  connectTimeout: number | undefined;
  /** Milliseconds without traffic until the system asks whether the server is there; undefined for never. */
  keepAlive: number | undefined;
  user: string;
  /** Undefined where it may stand in a password file. */
  password: string | undefined;
  /** Undefined for the usual one. */
  passwordFile: string | undefined;
  database: string;
  applicationName: string | undefined;
  /** The server's command-line options. */
  options: string | undefined;
  encryption: Encryption;
  channelBinding: 'disable' | 'prefer' | 'require';
  /** Those that a server may ask for. */
  methods: ReadonlySet<AuthenticationMethod>;
}

const DEFAULT_PORT = 5432;

/** Milliseconds. */
const KEEP_ALIVE = 60_000;

/**
 * @param uri `postgres://user:password@host:port,…/database?keyword=value&…`
 * @throws {AddressError} for what libpq would refuse, and for keywords that are not known here
 */
export function parseAddress(uri: string): DatabaseAddress {
  const keywords = new Keywords(parseUri(uri));
  const user = keywords.text('user') ?? systemUser();
  const address: DatabaseAddress = {
    hosts: hostsOf(keywords),
    isBalanced: keywords.choice('load_balance_hosts', ['disable', 'random'], 'disable') === 'random',
    session: keywords.choice('target_session_attrs', SESSION_KINDS, 'any'),
    connectTimeout: timeoutOf(keywords),
    keepAlive: keepAliveOf(keywords),
    user,
    password: keywords.text('password'),
    passwordFile: keywords.text('passfile'),
    database: keywords.text('dbname') ?? user,
    applicationName: keywords.text('application_name'),
    options: keywords.text('options'),
    encryption: encryptionOf(keywords),
    channelBinding: keywords.choice('channel_binding', ['disable', 'prefer', 'require'], 'prefer'),
    methods: methodsOf(keywords),
  };
  // There is but one encoding here, and no GSSAPI: what leaves the choice is as good as left out.
  keywords.choice('client_encoding', ['utf8', 'UTF8', 'utf-8', 'UTF-8', 'auto'], 'UTF8');
  keywords.choice('gssencmode', ['disable', 'prefer'], 'disable');
  keywords.requireNoOthers();
  return address;
}

/** In a container a user may have a number alone, and no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new AddressError('names no user, and the user of this process has no name');
  }
}

/** The keywords of an address, each of which somebody has to want. */
class Keywords {
  #values: Map<string, string>;

  constructor(values: Map<string, string>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value === '' ? undefined : value;
  }

  /** Items with commas between them. */
  list(name: string): string[] | undefined {
    return this.text(name)?.split(',');
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (choices.includes(value as Choice)) return value as Choice;
    throw new AddressError(`has a ${name} that is none of ${choices.join(', ')}`);
  }

  whole(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined || /^-?\d{1,9}$/.test(value)) return value === undefined ? value : Number(value);
    throw new AddressError(`has a ${name} that is no whole number`);
  }

  requireNoOthers(): void {
    const [name] = this.#values.keys();
    if (name === undefined) return;
    throw new AddressError(
      `has the parameter "${name}", which is not known: settings of the server go into options=-c%20name=value`,
    );
  }
}

/** An IPv6 address had its brackets taken off; a name that begins with a slash is a folder with a Unix socket. */
function hostsOf(keywords: Keywords): Host[] {
  const addresses = keywords.list('hostaddr');
  const names = keywords.list('host') ?? addresses ?? ['localhost'];
  const ports = keywords.list('port') ?? [''];
  if (addresses && addresses.length !== names.length)
    throw new AddressError('has another number of addresses in hostaddr than of hosts');
  if (ports.length > 1 && ports.length !== names.length)
    throw new AddressError('has another number of ports than of hosts');
  return names.map((name, index) => {
    const port = portOf(ports.length === 1 ? ports[0]! : ports[index]!);
    const path = isAbsolute(name) ? `${name.replace(/\/+$/, '')}/.s.PGSQL.${port}` : undefined;
    const known = name || 'localhost';
    return { name: known, port, address: addresses?.[index] || known, path };
  });
}

function portOf(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new AddressError('has a port that is no whole number from 1 to 65535');
}

/** Zero and what is below it are no limit, as libpq has it. */
function timeoutOf(keywords: Keywords): number | undefined {
  const seconds = keywords.whole('connect_timeout');
  if (seconds === undefined) return undefined;
  return seconds > 0 ? seconds * 1000 : 0;
}

function keepAliveOf(keywords: Keywords): number | undefined {
  const isOn = keywords.choice('keepalives', ['0', '1'], '1') === '1';
  const seconds = keywords.whole('keepalives_idle') ?? 0;
  if (!isOn) return undefined;
  return seconds > 0 ? seconds * 1000 : KEEP_ALIVE;
}

/** From what a mode looks at certificates. */
export const looksAtCertificates = (mode: SslMode) => mode === 'verify-ca' || mode === 'verify-full';

function encryptionOf(keywords: Keywords): Encryption {
  const rootCertificate = keywords.text('sslrootcert');
  const usual = rootCertificate === 'system' ? 'verify-full' : 'prefer';
  const mode = keywords.choice('sslmode', SSL_MODES, usual);
  const isDirect = keywords.choice('sslnegotiation', ['postgres', 'direct'], 'postgres') === 'direct';
  if (rootCertificate === 'system' && mode !== 'verify-full')
    throw new AddressError('has sslrootcert=system, which needs sslmode=verify-full');
  // As libpq has it: whoever Node trusts signs for anybody, and this mode does not ask for whom.
  if (mode === 'verify-ca' && !rootCertificate)
    throw new AddressError('has sslmode=verify-ca, which needs sslrootcert; verify-full needs none');
  if (isDirect && ['disable', 'allow', 'prefer'].includes(mode))
    throw new AddressError('has sslnegotiation=direct, which needs sslmode=require or a stricter one');
  const certificate = keywords.text('sslcert');
  const key = keywords.text('sslkey');
  if (!certificate !== !key) throw new AddressError('needs both sslcert and sslkey, or neither');
  return {
    // As libpq has it: an authority that is named is asked.
    mode: mode === 'require' && rootCertificate ? 'verify-ca' : mode,
    isDirect,
    rootCertificate,
    revocationList: keywords.text('sslcrl'),
    certificate,
    key,
    password: keywords.text('sslpassword'),
    sendsName: keywords.choice('sslsni', ['0', '1'], '1') === '1',
    minVersion: versionOf(keywords, 'ssl_min_protocol_version'),
    maxVersion: versionOf(keywords, 'ssl_max_protocol_version'),
  };
}

function versionOf(keywords: Keywords, name: string): TlsVersion | undefined {
  return keywords.choice<TlsVersion | ''>(name, TLS_VERSIONS, '') || undefined;
}

/** `scram-sha-256,none`, or those that are not wanted: `!password,!md5`. */
function methodsOf(keywords: Keywords): Set<AuthenticationMethod> {
  const items = keywords.list('require_auth');
  if (!items) return new Set(AUTHENTICATION_METHODS);
  const isNegated = items.every(item => item.startsWith('!'));
  const named = items.map(item => (isNegated ? item.slice(1) : item)) as AuthenticationMethod[];
  if (!named.every(name => AUTHENTICATION_METHODS.includes(name)))
    throw new AddressError(
      `has a require_auth with an item that is none of ${AUTHENTICATION_METHODS.join(', ')}`,
    );
  return new Set(AUTHENTICATION_METHODS.filter(name => named.includes(name) !== isNegated));
}
