/**
 * A database address is invalid. The message starts with the name of the setting and never contains its value, which
 * can include a password.
 */
export class AddressError extends Error {
  override name = 'AddressError';
}

const SCHEME = /^postgres(?:ql)?:\/\//;
const HOST = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;

/**
 * Parses the keywords of a connection URI; the last value wins (PostgreSQL manual, 34.1.1.2). Several hosts, and their
 * ports, are separated by commas.
 * @throws {AddressError}
 */
export function parseUri(uri: string): Map<string, string> {
  if (!SCHEME.test(uri)) throw new AddressError('must begin with postgres:// or postgresql://');
  const [, authority = '', path = '', query = ''] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(
    uri.replace(SCHEME, ''),
  )!;
  // A password can contain an unescaped "@".
  const at = authority.lastIndexOf('@');
  const [user = '', password] = at < 0 ? [] : halves(authority.slice(0, at), ':');
  const keywords = new Map<string, string>();
  const set = (name: string, text: string | undefined) => text && keywords.set(name, decoded(name, text));
  set('user', user);
  set('password', password);
  setHosts(authority.slice(at + 1), set);
  set('dbname', path);
  for (const pair of query.split('&').filter(Boolean)) {
    const [name, value] = halves(pair, '=');
    if (value === undefined) throw new AddressError(`has a parameter "${name}" without a value`);
    // Other drivers use `ssl` as an alias.
    if (name === 'ssl') set('sslmode', value === 'true' ? 'require' : value);
    else set(decoded('parameter', name), value);
  }
  return keywords;
}

function setHosts(text: string, set: (name: string, text: string) => unknown): void {
  const parts = text.split(',').map(part => HOST.exec(part));
  if (parts.includes(null)) throw new AddressError('has an invalid host');
  set('host', parts.map(part => part![1]!.replace(/^\[(.*)\]$/, '$1')).join(','));
  const ports = parts.map(part => part![2] ?? '');
  if (ports.some(Boolean)) set('port', ports.join(','));
}

function decoded(name: string, text: string): string {
  try {
    const value = decodeURIComponent(text);
    if (!value.includes('\0')) return value;
  } catch {
    // The invalid escape is reported below.
  }
  throw new AddressError(`has a ${name} with an invalid percent-encoding`);
}

/** Splits at the first separator; the second part is undefined if there is none. */
function halves(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
