import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tlsOptions } from '../src/dial/tls.ts';
import { parseAddress } from '../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-options-'));
  for (const name of ['ca', 'crl', 'cert', 'key']) await writeFile(join(folder, name), name);
});
afterAll(() => rm(folder, { recursive: true }));

const optionsOf = async (query: string, host = 'db.example') => {
  const { encryption, hosts } = parseAddress(`postgres://me@${host}/x?${query}`);
  const { checkServerIdentity, ...options } = await tlsOptions(encryption, hosts[0]!);
  const certificate = { subject: { CN: 'other.example' }, subjectaltname: 'DNS:other.example' };
  const identity = checkServerIdentity!('db.example', certificate as unknown as PeerCertificate);
  return { ...options, isOther: identity !== undefined };
};

it.each([
  ['sslmode=require', false, false],
  ['sslmode=verify-ca&sslrootcert=CA', true, false],
  ['sslmode=verify-full&sslrootcert=system', true, true],
])('with %s, certificates are checked: %s, and their names: %s', async (query, isChecked, isNamed) => {
  expect(await optionsOf(query.replace('CA', `${folder}/ca`))).toMatchObject({
    rejectUnauthorized: isChecked,
    isOther: isNamed,
  });
});

it('the server name is sent unless it is an address or disabled', async () => {
  expect(await optionsOf('sslmode=require')).toMatchObject({ servername: 'db.example' });
  for (const [query, host] of [
    ['sslmode=require&sslsni=0', 'db.example'],
    ['sslmode=require', '127.0.0.1'],
  ] as const)
    expect(await optionsOf(query, host)).not.toHaveProperty('servername');
});

it('files and versions become the options of Node', async () => {
  const query = ['ca', 'crl', 'cert', 'key'].map(
    (name, index) => `${['sslrootcert', 'sslcrl', 'sslcert', 'sslkey'][index]}=${folder}/${name}`,
  );
  const all = await optionsOf(
    `sslmode=require&${query.join('&')}&sslpassword=hush&ssl_min_protocol_version=TLSv1.3&ssl_max_protocol_version=TLSv1.3`,
  );
  expect(all).toMatchObject({
    ALPNProtocols: ['postgresql'],
    ...{ ca: Buffer.from('ca'), crl: Buffer.from('crl'), cert: Buffer.from('cert'), key: Buffer.from('key') },
    ...{ passphrase: 'hush', minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' },
  });
});

it.each(['sslrootcert', 'sslcrl', 'sslcert', 'sslkey'])('an unreadable file of %s is named', async name => {
  const given =
    name === 'sslcert' ? `sslkey=${folder}/key&` : name === 'sslkey' ? `sslcert=${folder}/cert&` : '';
  await expect(optionsOf(`sslmode=require&${given}${name}=${folder}/none`)).rejects.toThrow(
    `${name}: the file cannot be read (ENOENT): ${folder}/none`,
  );
});
