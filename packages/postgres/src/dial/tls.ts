import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { type Encryption, type Host, looksAtCertificates } from './address.ts';

/** An import would make the texts of all root certificates, which nothing here reads. */
export const tls = process.getBuiltinModule('node:tls');

/** The protocol that is spoken within TLS, by its registered name (PostgreSQL manual, 53.2.11). */
export const PROTOCOL_NAME = 'postgresql';

/**
 * Node's options for TLS with a host.
 * @throws {Error} for a file that cannot be read, by the name of its parameter
 */
export async function tlsOptions(encryption: Encryption, { name }: Host): Promise<ConnectionOptions> {
  const { mode, sendsName, rootCertificate, password, minVersion, maxVersion } = encryption;
  const [ca, crl, cert, key] = await Promise.all([
    rootCertificate === 'system' ? undefined : contentOf('sslrootcert', rootCertificate),
    contentOf('sslcrl', encryption.revocationList),
    contentOf('sslcert', encryption.certificate),
    contentOf('sslkey', encryption.key),
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

async function contentOf(parameter: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${parameter}: the file cannot be read (${error.code}): ${path}`);
  });
}
