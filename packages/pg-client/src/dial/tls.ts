import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { type Encryption, type Host, looksAtCertificates } from './address.ts';

/** Loaded without an import, which would also load all root certificates. */
export const tls = process.getBuiltinModule('node:tls');

/** The registered ALPN protocol name (PostgreSQL manual, 53.2.11). */
export const PROTOCOL_NAME = 'postgresql';

/**
 * Returns Node's TLS options for a host.
 * @throws {Error} for an unreadable file, with the name of its parameter
 */
export async function tlsOptions(encryption: Encryption, { name }: Host): Promise<ConnectionOptions> {
  const { mode, sendsName, rootCertificate, password, minVersion, maxVersion } = encryption;
  const [ca, crl, cert, key] = await Promise.all([
    rootCertificate === 'system' ? undefined : toContent('sslrootcert', rootCertificate),
    toContent('sslcrl', encryption.revocationList),
    toContent('sslcert', encryption.certificate),
    toContent('sslkey', encryption.key),
  ]);
  return {
    ALPNProtocols: [PROTOCOL_NAME],
    rejectUnauthorized: looksAtCertificates(mode),
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? tls.checkServerIdentity(name, certificate) : undefined,
    ...(sendsName && !isIP(name) && { servername: name }),
    ...(ca && { ca }),
    ...(crl && { crl }),
    ...(cert && key && { cert, key }),
    ...(password && { passphrase: password }),
    ...(minVersion && { minVersion }),
    ...(maxVersion && { maxVersion }),
  };
}

async function toContent(parameter: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${parameter}: the file cannot be read (${error.code}): ${path}`);
  });
}
