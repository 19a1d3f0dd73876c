import { ConnectionLost, ServerError } from '../driver/errors.ts';
import type { Rows } from '../driver/rows.ts';
import { ServerMessages } from '../driver/server-messages.ts';
import { Wire } from '../driver/wire.ts';
import { type DatabaseAddress, type Encryption, type Host, looksAtCertificates } from './address.ts';
import type { HostCandidate, Hosts } from './hosts.ts';
import { passwordFromFile } from './password-file.ts';
import { Startup } from './startup.ts';
import { tlsOptions } from './tls.ts';
import { Transport } from './transport.ts';

export interface DialOptions {
  /** Parameters of the start-up message, in addition to those in the address. */
  parameters: Readonly<Record<string, string>>;
  /** Default time limit per host in milliseconds; 0 for no limit. */
  connectTimeout: number;
  signal?: AbortSignal;
}

/** A session that is ready for statements. */
export interface Session {
  transport: Transport;
  messages: ServerMessages;
}

/** How to connect; `asked` requests TLS from the server first. */
type Way = 'clear' | 'asked' | 'encrypted';

/** Matches the SQLSTATEs of temporary refusals: the server is starting, full or shutting down. */
const PASSING = /^(?:53|57P)/;

/**
 * SQLSTATE of a server that refuses this user and address. The refusal can depend on encryption, so the other way is
 * tried.
 */
const NOT_THIS_WAY = '28000';

/** Error codes for a host on which no server is listening, or one that is starting. */
export const SERVER_DOWN: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', '57P03']);

/**
 * Opens a session on the first reachable host of the requested kind.
 * @throws {ConnectionLost} with the failure of each host
 */
export async function dial(hosts: Hosts, options: DialOptions): Promise<Session> {
  const failures: { host: Host; reason: Error }[] = [];
  for (const candidate of hosts.candidates()) {
    const { host } = candidate;
    try {
      const session = await tryHost(hosts, candidate, options);
      hosts.noteSuccess(host);
      return session;
    } catch (error) {
      hosts.failed(host);
      failures.push({ host, reason: error as Error });
      if (options.signal?.aborted || isFinal(error)) break;
    }
  }
  const texts = failures.map(({ host, reason }) => labelMessage(host, getMessage(reason)));
  const telling = failures.findLast(({ reason }) => !SERVER_DOWN.has(getCode(reason))) ?? failures.at(-1);
  throw new ConnectionLost([...new Set(texts)].join('; '), { cause: telling?.reason });
}

/** Checks whether every host would fail in the same way, such as for a wrong password. */
function isFinal(error: unknown): boolean {
  return error instanceof ServerError && !PASSING.test(error.code);
}

async function tryHost(hosts: Hosts, candidate: HostCandidate, options: DialOptions): Promise<Session> {
  const ways = waysTo(candidate.host, hosts.address);
  for (const [index, way] of ways.entries()) {
    await hosts.attempts.permit();
    try {
      return await attempt(hosts.address, candidate, options, way);
    } catch (error) {
      if (index === ways.length - 1 || !isForItsWay(error)) throw error;
    }
  }
  throw new Error('there is no way to speak to the host');
}

/** Checks whether the failure can depend on encryption. */
function isForItsWay(error: unknown): boolean {
  return error instanceof NotEncrypted || (error instanceof ServerError && error.code === NOT_THIS_WAY);
}

class NotEncrypted extends ConnectionLost {}

/** Returns the ways to connect to a host, in order. As in libpq, a Unix socket is not encrypted. */
function waysTo({ path }: Host, { encryption }: DatabaseAddress): Way[] {
  const { mode } = encryption;
  if (path || mode === 'disable') return ['clear'];
  if (mode === 'allow') return ['clear', 'encrypted'];
  return mode === 'prefer' ? ['asked', 'clear'] : ['encrypted'];
}

/** Attempts to open a session on one host. */
async function attempt(
  address: DatabaseAddress,
  { host, kind }: HostCandidate,
  { parameters, connectTimeout, signal }: DialOptions,
  way: Way,
): Promise<Session> {
  const transport = new Transport(host, address.keepAlive);
  const limit = address.connectTimeout ?? connectTimeout;
  const late = () => transport.lose(new ConnectionLost(`no session within ${limit / 1000} s`));
  const timer = limit > 0 ? setTimeout(late, limit) : undefined;
  const abort = () => transport.lose(new ConnectionLost('the connection was abandoned'));
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted) abort();
    await transport.connect();
    if (way !== 'clear') await encrypt(transport, address.encryption, host, way);
    const session = await begin(transport, address, host, parameters);
    if (kind !== 'any') await requireKind(session, kind);
    return session;
  } catch (error) {
    transport.lose(error as Error);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function encrypt(transport: Transport, encryption: Encryption, host: Host, way: Way): Promise<void> {
  const options = await tlsOptions(encryption, host);
  if (!encryption.isDirect && !(await transport.offersTls())) {
    if (way === 'asked') return;
    throw new ConnectionLost(`it does not speak TLS (sslmode=${encryption.mode})`);
  }
  await transport.encrypt(options, encryption.isDirect).catch((cause: Error) => {
    throw new NotEncrypted(`${getMessage(cause)} (${findCause(encryption, cause)})`, { cause });
  });
}

async function begin(
  transport: Transport,
  address: DatabaseAddress,
  host: Host,
  further: DialOptions['parameters'],
): Promise<Session> {
  const { database, applicationName, options } = address;
  const password = address.password ?? (await passwordFromFile(address, host));
  const credentials = { address, password, certificate: transport.certificate };
  const parameters = {
    database,
    ...further,
    ...(applicationName && { application_name: applicationName }),
    ...(options && { options }),
  };
  return transport.until(resolve => {
    const onReady = () => resolve({ transport, messages });
    const startup = new Startup({ credentials, parameters, transport, onReady });
    const messages = new ServerMessages(startup);
    transport.take = messages.take;
    startup.begin();
  });
}

/**
 * Checks the kind of the session, such as read-write.
 * @throws {ConnectionLost} if another kind was requested
 */
async function requireKind(
  { transport, messages }: Session,
  kind: Exclude<HostCandidate['kind'], 'any'>,
): Promise<void> {
  const previous = messages.reader;
  const wire = new Wire(transport);
  messages.reader = wire;
  const rows = await transport.until<Rows>(resolve => {
    wire.run(STATE, [], false).then(resolve, error => transport.lose(error));
  });
  messages.reader = previous;
  const { standby, readonly } = rows.last() as { standby: boolean; readonly: boolean };
  const isIt = { 'read-write': !readonly, 'read-only': readonly, primary: !standby, standby }[kind];
  if (!isIt) throw new ConnectionLost(`it is not ${kind} (target_session_attrs)`);
}

/** A query for the state of the server. It ignores the read-only default that this client sets itself. */
const STATE = `select standby, standby or (setting = 'on' and source <> 'client') as readonly
  from pg_catalog.pg_settings, (select pg_catalog.pg_is_in_recovery() as standby) as server
  where name = 'default_transaction_read_only'`;

/** Node's code for a trusted certificate that names other hosts. */
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** Returns the parameters that can have caused the TLS failure. */
function findCause({ mode, isDirect }: Encryption, error: Error): string {
  const isTrust = looksAtCertificates(mode) && getCode(error) !== OTHER_NAME;
  const remedy = isTrust ? '; sslrootcert names the authorities' : '';
  return `sslmode=${mode}${remedy}${isDirect ? '; sslnegotiation=direct needs PostgreSQL 17' : ''}`;
}

/** Prefixes a message with the host, unless it is a system error, which already contains the address. */
function labelMessage({ name, port, path }: Host, message: string): string {
  const label = path ?? (name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`);
  return message.includes(label) ? message : `${label}: ${message}`;
}

/** Matches advice about a flag of Node that Node 24 appends to certificate errors. */
const OWN_REMEDY = /; if the root CA is .*--use-system-ca$/;

/** Returns the message of an error. If all addresses of a host failed, only the inner errors contain the causes. */
function getMessage(error: Error): string {
  const parts: Error[] = error instanceof AggregateError && !error.message ? error.errors : [error];
  return parts.map(({ message, name }) => message.replace(OWN_REMEDY, '') || name).join('; ');
}

function getCode(error: Error): string {
  return String((error as { code?: unknown }).code);
}
