import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Values of `sslmode` with which nobody looks at a certificate. */
const UNVERIFIED = ['disable', 'false', 'allow', 'prefer', 'require'];

/**
 * What the driver has to be told beside the database's address: it takes every IP address for `localhost` when it
 * compares it with the names in a certificate.
 */
export function verification(url: string): { ssl?: object } {
  const query = new URLSearchParams(/\?.*/.exec(url)?.[0]);
  const mode = query.get('sslmode') ?? query.get('ssl') ?? 'disable';
  const hosts = hostsOf(url);
  const addresses = hosts.filter(isIP);
  if (UNVERIFIED.includes(mode) || addresses.length === 0) return {};
  const verify = (name: string, certificate: PeerCertificate): Error | undefined => {
    const names = hosts.includes(name) ? [name] : addresses;
    const errors = names.map(expected => checkServerIdentity(expected, certificate));
    return errors.every(Boolean) ? errors[0] : undefined;
  };
  return { ssl: { checkServerIdentity: verify } };
}

function hostsOf(url: string): string[] {
  const [, hosts = ''] = /\/\/(?:[^/?]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts.split(',').map(host => host.replace(/:\d+$/, ''));
}
