import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../sql/operator/migrate.ts';
import { guardKey } from './support/canary.ts';
import { type ServiceProcess, serve } from './support/served.ts';
import { sightline, sightlineHere } from './support/sightline.ts';
import { openStock, type Stock } from './support/stock.ts';
import { startTlsServer, type TlsServer } from './support/tls-server.ts';
import { until } from './support/until.ts';

const PASSWORD = guardKey(`secret${randomBytes(12).toString('hex')}`);

let server: TlsServer;
let stock: Stock;
let key: string;

beforeAll(async () => {
  server = await startTlsServer('localhost');
  stock = await fill(server);
  key = await stock.account('a-tls');
});

afterAll(async () => {
  await stock?.close();
  await server?.[Symbol.asyncDispose]();
});

async function fill({ url }: TlsServer): Promise<Stock> {
  const stock = openStock(url);
  await migrate(stock.sql);
  await stock.sql.query(`create role web login password '${PASSWORD}' in role sightline_reader`);
  return stock;
}

/** Returns the server's connection URL for a login with a password. */
function toAddress({ url }: TlsServer, host: string, mode: string): string {
  return url.replace(/\/\/.*:/, `//web:${PASSWORD}@${host}:`).replace(/sslmode=.*/, `sslmode=${mode}`);
}

/** Starts the service with this URL. `trusted` is the server whose certificate is trusted. */
function serveFrom(
  server: TlsServer,
  host: string,
  mode: string,
  trusted?: TlsServer,
): Promise<ServiceProcess> {
  return serve(toAddress(server, host, mode), { DATABASE_ROLE: '', ...trust(trusted) });
}

function trust(server?: TlsServer): Record<string, string> {
  return server ? { NODE_EXTRA_CA_CERTS: server.certificate } : {};
}

async function ask({ url }: ServiceProcess): Promise<number> {
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Returns for each session of the service whether it uses TLS. */
async function sessions(): Promise<boolean[]> {
  const rows = await stock.sql<{ ssl: boolean }[]>`
    select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'sightline'`;
  return rows.map(({ ssl }) => ssl);
}

describe('a database over TLS', () => {
  it('is used only through TLS with sslmode=require, regardless of its certificate', {
    tags: 'slow',
  }, async () => {
    await using service = await serveFrom(server, 'localhost', 'require');
    expect(await ask(service)).toBe(200);
    expect(new Set(await sessions())).toEqual(new Set([true]));
    const { stdout } = await sightlineHere(['doctor'], {
      DATABASE_URL: toAddress(server, 'localhost', 'require'),
    });
    expect(stdout).toMatch(
      /^warning +encryption: .* not verified \(sslmode=require\)\n +remedy: .*verify-full/m,
    );
    // The same applies after its connections were terminated.
    await stock.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sightline'`;
    await until(async () => (await ask(service)) === 200);
    expect(new Set(await sessions())).toEqual(new Set([true]));
  });

  it('is used with sslmode=verify-full if its certificate is trusted', { tags: 'slow' }, async () => {
    await using service = await serveFrom(server, 'localhost', 'verify-full', server);
    expect(await ask(service)).toBe(200);
  });

  it('is not used with sslmode=verify-full if its certificate is untrusted', { tags: 'slow' }, async () => {
    await using service = await serveFrom(server, 'localhost', 'verify-full');
    expect(await service.isReady()).toBe(false);
    expect(await ask(service)).toBe(500);
    expect(await sessions()).toEqual([]);
    expect(service.log.join()).toMatch(/"reason":"localhost:\d+: self-signed certificate.*sslrootcert/);
  });

  it('is rejected with sslmode=verify-full if its certificate is for another host', async () => {
    const url = `${toAddress(server, '127.0.0.1', 'verify-full')}&sslrootcert=${server.certificate}`;
    const { code, stderr } = await sightlineHere(['keys', 'list'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain("does not match certificate's altnames");
  });

  it('can be addressed by the IP address in its certificate', { tags: 'slow' }, async () => {
    await using other = await startTlsServer('127.0.0.1');
    await (await fill(other)).close();
    const env = { DATABASE_URL: other.url.replace('require', 'verify-full'), ...trust(other) };
    expect(await sightline(['keys', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('receives nothing unencrypted with sslmode=require if it does not support TLS', async () => {
    const heard: Buffer[] = [];
    const listener = createServer(socket =>
      socket.on('data', chunk => {
        heard.push(chunk);
        socket.write('N');
      }),
    );
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const DATABASE_URL = `postgres://web:${PASSWORD}@127.0.0.1:${port}/sightline?sslmode=require`;
    const { code, stderr } = await sightlineHere(['keys', 'list'], { DATABASE_URL });
    listener.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The database cannot be reached: .*TLS/),
    });
    // The request for TLS and nothing else.
    expect(Buffer.concat(heard)).toHaveLength(8);
  });

  it('is rejected by commands in a sentence without the password', async () => {
    const env = { DATABASE_URL: toAddress(server, 'localhost', 'verify-full') };
    const { code, stderr } = await sightlineHere(['keys', 'list'], env);
    expect(code).toBe(1);
    // Newer versions of Node append a suggestion.
    expect(stderr).toMatch(
      /^The database presents an untrusted certificate: localhost:\d+: self-signed certificate.*\n$/,
    );
    expect(stderr).not.toContain(PASSWORD);
  });
});
