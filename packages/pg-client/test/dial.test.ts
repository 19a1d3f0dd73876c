import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../sql/client.ts';
import { createBareDatabase } from '../../../test/support/database.ts';
import { makeFolder } from '../../../test/support/folder.ts';
import { freePort } from '../../../test/support/network.ts';
import { connectOperator } from '../../../test/support/operator.ts';
import { selfSigned } from '../../../test/support/self-signed.ts';
import { READY } from '../../../test/support/server-stream.ts';
import { startTlsServer, type TlsServer } from '../../../test/support/tls-server.ts';
import { until } from '../../../test/support/until.ts';
import { dial } from '../src/dial/dial.ts';
import { Hosts } from '../src/dial/hosts.ts';
import { passwordFromFile } from '../src/dial/password-file.ts';
import { preparedPassword } from '../src/dial/prepared-password.ts';
import { parseAddress } from '../src/index.ts';

/** Every test connects both like the service and like the operator's commands. */

describe('an address', () => {
  const hosts = (url: string) =>
    parseAddress(url).hosts.map(({ name, port, path }) => path ?? `${name} ${port}`);

  it.each([
    ['postgres://db', ['db 5432']],
    ['postgresql://db:6432/x', ['db 6432']],
    ['postgres://me@a:1,b,[::1]:3/x', ['a 1', 'b 5432', '::1 3']],
    ['postgres://me@a,b:2/x?port=7', ['a 7', 'b 7']],
    ['postgres:///x', ['localhost 5432']],
    ['postgres:///x?host=/var/run/postgresql', ['/var/run/postgresql/.s.PGSQL.5432']],
    ['postgres://me@%2Ftmp%2Fa%20b:1234/x', ['/tmp/a b/.s.PGSQL.1234']],
    ['postgres:///x?host=/tmp,db&port=1,2', ['/tmp/.s.PGSQL.1', 'db 2']],
  ])('parses the hosts of %s', (url, expected) => {
    expect(hosts(url)).toEqual(expected);
  });

  it('decodes percent-encoded parts', () => {
    expect(parseAddress('postgres://me%40x:p%2F%3A%40ss@db/a%20b?application_name=c%26d')).toMatchObject({
      user: 'me@x',
      password: 'p/:@ss',
      database: 'a b',
      applicationName: 'c&d',
    });
  });

  it.each([
    ['mysql://db', 'must begin with postgres:// or postgresql://'],
    ['postgres://me:%zz@db', 'has a password with an invalid percent-encoding'],
    ['postgres://db:70000', 'has a port that is not an integer from 1 to 65535'],
    ['postgres://a,b?port=1,2,3', 'has different numbers of ports and of hosts'],
    ['postgres://db?sslmod=require', /^has the parameter "sslmod", which is unknown/],
    ['postgres://db?sslmode=on', /^has a sslmode that is not one of disable, allow, prefer/],
    ['postgres://db?sslmode', 'has a parameter "sslmode" without a value'],
    ['postgres://db?connect_timeout=soon', 'has a connect_timeout that is not an integer'],
    ['postgres://db?sslcert=/a', 'needs both sslcert and sslkey, or neither'],
    ['postgres://db?sslnegotiation=direct', /^has sslnegotiation=direct, which needs sslmode=require/],
    ['postgres://db?sslrootcert=system&sslmode=require', /^has sslrootcert=system, which needs/],
    ['postgres://db?sslmode=verify-ca', /^has sslmode=verify-ca, which needs sslrootcert/],
    ['postgres://db?require_auth=magic', /^has a require_auth with an item that is not one of/],
    ['postgres://db?gssencmode=require', /^has a gssencmode that is not one of disable, prefer$/],
    ['postgres://db?client_encoding=latin1', /^has a client_encoding that is not one of utf8/],
    ['postgres://db?keepalives=2', 'has a keepalives that is not one of 0, 1'],
    ['postgres://db?sslsni=yes', 'has a sslsni that is not one of 0, 1'],
    [
      'postgres://db?channel_binding=maybe',
      /^has a channel_binding that is not one of disable, prefer, require$/,
    ],
    ['postgres://db?load_balance_hosts=yes', 'has a load_balance_hosts that is not one of disable, random'],
    [
      'postgres://db?target_session_attrs=master',
      /^has a target_session_attrs that is not one of any, read-write/,
    ],
    [
      'postgres://db?ssl_min_protocol_version=SSLv3',
      /^has a ssl_min_protocol_version that is not one of TLSv1, /,
    ],
    [
      'postgres://db?ssl_max_protocol_version=2',
      /^has a ssl_max_protocol_version that is not one of TLSv1, /,
    ],
    ['postgres://db:0', 'has a port that is not an integer from 1 to 65535'],
    ['postgres://db:65536', 'has a port that is not an integer from 1 to 65535'],
    ['postgres://db:1.5', 'has a port that is not an integer from 1 to 65535'],
    ['postgres://a,b?hostaddr=10.0.0.1', 'has different numbers of addresses in hostaddr and of hosts'],
    ['postgres://db?keepalives_idle=1.5', 'has a keepalives_idle that is not an integer'],
    ['postgres://db?connect_timeout=1234567890', 'has a connect_timeout that is not an integer'],
    ['postgres://db?sslkey=/a', 'needs both sslcert and sslkey, or neither'],
    ['postgres://db?sslnegotiation=direct&sslmode=allow', /^has sslnegotiation=direct, which needs/],
    ['postgres://db?sslnegotiation=direct&sslmode=disable', /^has sslnegotiation=direct, which needs/],
    ['postgres://db?require_auth=md5,!none', /^has a require_auth with an item that is not one of/],
    ['postgres://db?user=%00', 'has a user with an invalid percent-encoding'],
  ])('is rejected with the name of the invalid parameter: %s', (url, problem) => {
    expect(() => parseAddress(url)).toThrow(problem);
  });

  it.each([
    ['', undefined, 60_000],
    ['?connect_timeout=3', 3000, 60_000],
    ['?connect_timeout=0', 0, 60_000],
    ['?connect_timeout=-1', 0, 60_000],
    ['?keepalives_idle=30', undefined, 30_000],
    ['?keepalives_idle=0', undefined, 60_000],
    ['?keepalives_idle=-1', undefined, 60_000],
    ['?keepalives=1&keepalives_idle=7', undefined, 7000],
    ['?keepalives=0', undefined, undefined],
    ['?keepalives=0&keepalives_idle=30', undefined, undefined],
  ])('gives its times in seconds, and zero means the default: %j', (query, connectTimeout, keepAlive) => {
    const address = parseAddress(`postgres://db${query}`);
    expect([address.connectTimeout, address.keepAlive]).toEqual([connectTimeout, keepAlive]);
  });

  it('has the defaults of libpq', () => {
    expect(parseAddress('postgres://me@db')).toEqual({
      hosts: [{ name: 'db', port: 5432, address: 'db', path: undefined }],
      ...{ isBalanced: false, session: 'any', connectTimeout: undefined, keepAlive: 60_000 },
      ...{ user: 'me', password: undefined, passwordFile: undefined, database: 'me' },
      ...{ applicationName: undefined, options: undefined, channelBinding: 'prefer' },
      encryption: {
        ...{ mode: 'prefer', isDirect: false, rootCertificate: undefined, revocationList: undefined },
        ...{ certificate: undefined, key: undefined, password: undefined, sendsName: true },
        ...{ minVersion: undefined, maxVersion: undefined },
      },
      methods: new Set(['scram-sha-256', 'md5', 'password', 'none']),
    });
  });

  it('has the given options', () => {
    const query = [
      'hostaddr=10.0.0.1,10.0.0.2&load_balance_hosts=random&target_session_attrs=read-only&connect_timeout=3',
      'keepalives_idle=30&passfile=/p&application_name=app&options=-c%20a%3Db&sslmode=verify-full',
      'sslnegotiation=direct&sslrootcert=/ca&sslcrl=/crl&sslcert=/c&sslkey=/k&sslpassword=s&sslsni=0',
      'ssl_min_protocol_version=TLSv1.2&ssl_max_protocol_version=TLSv1.3&channel_binding=require',
      'require_auth=md5,scram-sha-256&client_encoding=auto&gssencmode=prefer',
    ].join('&');
    expect(parseAddress(`postgres://me:a@b:c@a,b:2/x?${query}`)).toEqual({
      hosts: [
        { name: 'a', port: 5432, address: '10.0.0.1', path: undefined },
        { name: 'b', port: 2, address: '10.0.0.2', path: undefined },
      ],
      ...{ isBalanced: true, session: 'read-only', connectTimeout: 3000, keepAlive: 30_000 },
      ...{ user: 'me', password: 'a@b:c', passwordFile: '/p', database: 'x' },
      ...{ applicationName: 'app', options: '-c a=b', channelBinding: 'require' },
      encryption: {
        ...{ mode: 'verify-full', isDirect: true, rootCertificate: '/ca', revocationList: '/crl' },
        ...{ certificate: '/c', key: '/k', password: 's', sendsName: false },
        ...{ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' },
      },
      methods: new Set(['scram-sha-256', 'md5']),
    });
  });

  it.each([
    ['md5,none', ['md5', 'none']],
    ['!password', ['scram-sha-256', 'md5', 'none']],
    ['!md5,!none', ['scram-sha-256', 'password']],
  ])('with require_auth=%s allows these methods', (methods, allowed) => {
    expect([...parseAddress(`postgres://db?require_auth=${methods}`).methods]).toEqual(allowed);
  });

  it('implies the same encryption as in libpq', () => {
    const mode = (query: string) => parseAddress(`postgres://db${query}`).encryption.mode;
    expect(mode('')).toBe('prefer');
    expect(mode('?ssl=true')).toBe('require');
    expect(mode('?sslrootcert=system')).toBe('verify-full');
    expect(mode('?sslmode=require&sslrootcert=/a')).toBe('verify-ca');
  });
});

describe('a password', () => {
  it('is read from the first matching line of a private password file', async () => {
    const folder = makeFolder();
    const passfile = join(folder, 'passwords');
    const lines = ['# of tests', 'db:5432:x:you:wrong', 'db:*:x:me:a\\:b:c\\\\d', '*:*:*:*:other', ''];
    const passwordAt = (url: string) => {
      const address = parseAddress(`${url}?passfile=${passfile}`);
      return passwordFromFile(address, address.hosts[0]!);
    };
    try {
      expect(await passwordAt('postgres://me@db/x')).toBeUndefined();
      writeFileSync(passfile, lines.join('\n'), { mode: 0o600 });
      expect(await passwordAt('postgres://me@db/x')).toBe('a:b:c\\d');
      expect(await passwordAt('postgres://me@db/y')).toBe('other');
      for (const bit of [0o40, 0o20, 0o10, 0o4, 0o2, 0o1]) {
        chmodSync(passfile, 0o600 | bit);
        expect(await passwordAt('postgres://me@db/x')).toBeUndefined();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['localhost', 'postgres://me@%2Frun%2Fpg/x', 'own'],
    ['/run/pg', 'postgres://me@%2Frun%2Fpg/x', 'own'],
    ['/run/other', 'postgres://me@%2Frun%2Fpg/x', undefined],
    ['/run/pg', 'postgres://me@localhost/x', undefined],
  ])('of a line for %s is used at %s: %s', async (host, url, password) => {
    const folder = makeFolder();
    const passfile = join(folder, 'passwords');
    writeFileSync(passfile, `${host}:*:*:me:own`, { mode: 0o600 });
    const address = parseAddress(`${url}?passfile=${passfile}`);
    expect(await passwordFromFile(address, address.hosts[0]!)).toBe(password);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['*:*:*:me:own\r\n', 'own'],
    ['\r\n\r\n*:*:*:me:own', 'own'],
    ['db:5433:x:me:own', undefined],
    ['db:5432:x:me:own', 'own'],
    ['DB:5432:x:me:own', undefined],
    ['db:5432:x:*:own', 'own'],
    ['db:5432:x:me', undefined],
    ['db:5432:x:me:', ''],
    ['db:5432:x:me: own ', ' own '],
    ['#b:5432:x:me:own\ndb:5432:x:me:other', 'other'],
    ['db:5432:x:me:first\ndb:5432:x:me:second', 'first'],
    ['d\\b:5432:x:me:own', 'own'],
    ['db:5432:x:me:own\\', 'own\\'],
  ])('of the lines %j is: %j', async (lines, password) => {
    const folder = makeFolder();
    const passfile = join(folder, 'passwords');
    writeFileSync(passfile, lines, { mode: 0o600 });
    const address = parseAddress(`postgres://me@db/x?passfile=${passfile}`);
    expect(await passwordFromFile(address, address.hosts[0]!)).toBe(password);
    rmSync(folder, { recursive: true });
  });

  // RFC 4013, section 3, and how PostgreSQL handles prohibited characters.
  it.each([
    ['I\u00adX', 'IX'],
    ['\u00aa', 'a'],
    ['\u2168', 'IX'],
    ['a\u00a0b', 'a b'],
    ['½', '1⁄2'],
    ['\u0007½', '\u0007½'],
  ])('is prepared in the same way as by PostgreSQL: %j', (password, expected) => {
    expect(preparedPassword(password)).toBe(expected);
  });
});

const PASSWORD = 'sécret ½';
const CLIENT = selfSigned('cert');
const ACCESS = `hostssl all clear 127.0.0.1/32 password
hostssl all md5 127.0.0.1/32 md5
hostssl all cert 127.0.0.1/32 cert
hostssl all bare 127.0.0.1/32 reject
hostnossl all bare 127.0.0.1/32 trust
hostnossl all unbound 127.0.0.1/32 scram-sha-256
`;

let server: TlsServer;
let clientFolder: string;

beforeAll(async () => {
  server = await startTlsServer('localhost', { access: ACCESS, clientAuthority: CLIENT.certificate });
  clientFolder = makeFolder();
  writeFileSync(join(clientFolder, 'client.crt'), CLIENT.certificate);
  writeFileSync(join(clientFolder, 'client.key'), CLIENT.key, { mode: 0o600 });
  const administrator = connectOperator(server.url);
  await administrator.query(`
    create role cert login; create role bare login;
    create role scram login password '${PASSWORD}'; create role unbound login password '${PASSWORD}';
    create role clear login password '${PASSWORD}';
    set password_encryption = md5; create role md5 login password '${PASSWORD}'`);
  await administrator.end();
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (clientFolder) rmSync(clientFolder, { recursive: true });
});

/** Returns the address of the server for one of its users. */
function toAddress(user: string, query: string, host = '127.0.0.1', password = PASSWORD): string {
  const { port } = new URL(server.url);
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/postgres?${query}`;
}

interface Found {
  user: string;
  ssl: boolean;
}

const WHO = 'select current_user as user, ssl from pg_stat_ssl where pid = pg_backend_pid()';

/** Returns the session that both clients get for an address, or their common error. */
async function sessionBy(url: string): Promise<Found | string> {
  const message = ({ message }: Error) => message;
  const service = connect({
    url,
    poolSize: 1,
    statementTimeout: 5000,
    queueTimeout: 5000,
    queueLimit: 10,
    prepare: true,
    role: '',
  });
  const sql = connectOperator(url);
  try {
    const first = await service.rows<Found>(WHO, []).then(([row]) => row!, message);
    expect(await sql.query<Found>(WHO).then(([row]) => ({ ...row }), message)).toEqual(first);
    return first;
  } finally {
    await Promise.all([service.end(), sql.end()]);
  }
}

describe('a session', { timeout: 30_000 }, () => {
  it.each<[mode: string, user: string, encryption: string]>([
    ['disable', 'bare', 'without TLS'],
    ['allow', 'bare', 'without TLS'],
    ['allow', 'scram', 'over TLS'],
    ['prefer', 'scram', 'over TLS'],
    ['prefer', 'bare', 'without TLS'],
    ['prefer&ssl_max_protocol_version=TLSv1.1&ssl_min_protocol_version=TLSv1.1', 'bare', 'without TLS'],
    ['require', 'scram', 'over TLS'],
    ['require&sslnegotiation=direct', 'scram', 'over TLS'],
    ['require&ssl_min_protocol_version=TLSv1.3&sslsni=0', 'scram', 'over TLS'],
  ])('with sslmode=%s connects user %s %s', async (mode, user, encryption) => {
    const ssl = encryption === 'over TLS';
    expect(await sessionBy(toAddress(user, `sslmode=${mode}`))).toEqual({ user, ssl });
  });

  it.each([
    ['disable', 'scram', /no pg_hba.conf entry .* no encryption/],
    ['require', 'bare', /rejects connection/],
    [
      'verify-full',
      'scram',
      /self-signed certificate \(sslmode=verify-full; sslrootcert names the authorities\)/,
    ],
    ['verify-full&sslrootcert=CA', 'scram', /does not match .* \(sslmode=verify-full\)$/],
    [
      'require&sslrootcert=/nowhere',
      'scram',
      /^127.0.0.1:\d+: sslrootcert: the file cannot be read \(ENOENT\)/,
    ],
    [
      'require&ssl_max_protocol_version=TLSv1.1&ssl_min_protocol_version=TLSv1.1',
      'scram',
      /^127.0.0.1:\d+: TLS: [a-z\d ]+ \(sslmode=require\)$/,
    ],
  ])('with sslmode=%s for user %s is refused', async (mode, user, reason) => {
    const query = `sslmode=${mode}`.replace('=CA', `=${server.certificate}`);
    const found = await sessionBy(toAddress(user, query));
    expect(found).toMatch(reason);
    expect(found).not.toContain('cret');
  });

  it.each([
    ['verify-ca', '127.0.0.1'],
    ['verify-full', 'localhost'],
  ])('with sslmode=%s starts if sslrootcert verifies %s', async (mode, host) => {
    const query = `sslmode=${mode}&sslrootcert=${server.certificate}`;
    expect(await sessionBy(toAddress('scram', query, host))).toEqual({ user: 'scram', ssl: true });
  });

  it.each(['scram', 'md5', 'clear'])(
    'starts with a password that the server requests through %s, and not with a wrong one',
    async user => {
      expect(await sessionBy(toAddress(user, 'sslmode=require'))).toEqual({ user, ssl: true });
      const wrong = await sessionBy(toAddress(user, 'sslmode=require', '127.0.0.1', 'wrong'));
      expect(wrong).toMatch(/password authentication failed for user/);
    },
  );

  it('starts with a client certificate', async () => {
    const files = `sslcert=${clientFolder}/client.crt&sslkey=${clientFolder}/client.key`;
    expect(await sessionBy(toAddress('cert', `sslmode=require&${files}`))).toEqual({
      user: 'cert',
      ssl: true,
    });
    expect(await sessionBy(toAddress('cert', 'sslmode=require'))).toMatch(/valid client certificate/);
  });

  it('uses channel binding if required, and is refused without it', async () => {
    const bound = (user: string, query: string) =>
      sessionBy(toAddress(user, `channel_binding=require&${query}`));
    expect(await bound('scram', 'sslmode=require')).toEqual({ user: 'scram', ssl: true });
    expect(await bound('unbound', 'sslmode=disable')).toMatch(
      /channel_binding=require, and .* not encrypted/,
    );
    expect(await bound('md5', 'sslmode=require')).toMatch(
      /channel_binding=require, and the server asks for md5/,
    );
  });

  it('is refused if the server requests a disallowed authentication method', async () => {
    const by = (user: string, methods: string) =>
      sessionBy(toAddress(user, `sslmode=prefer&require_auth=${methods}`));
    expect(await by('scram', 'scram-sha-256')).toEqual({ user: 'scram', ssl: true });
    expect(await by('clear', 'scram-sha-256')).toMatch(
      /asks for password, and require_auth does not allow that/,
    );
    expect(await by('clear', '!password')).toMatch(/require_auth/);
    expect(await by('bare', '!none')).toMatch(/require_auth/);
  });

  it('is refused with a hint if the password is missing', async () => {
    const url = toAddress('scram', 'sslmode=require').replace(/:[^:@/]+@/, '@');
    expect(await sessionBy(url)).toMatch(
      /asks for a password, and neither the address nor a password file has one/,
    );
  });
});

/** Starts a fake server with a fixed response to each piece of input. */
async function impostor(
  answer: (socket: Socket, heard: Buffer) => void,
): Promise<AsyncDisposable & { url: string }> {
  const listener = createServer(socket =>
    socket.on('error', () => {}).on('data', heard => answer(socket, heard)),
  );
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `postgres://me:secret@127.0.0.1:${port}/x`,
    async [Symbol.asyncDispose]() {
      listener.close();
    },
  };
}

const request = (code: number, text = '') => {
  const head = Buffer.from('R\0\0\0\0\0\0\0\0', 'latin1');
  head.writeInt32BE(8 + Buffer.byteLength(text), 1);
  head.writeInt32BE(code, 5);
  return Buffer.concat([head, Buffer.from(text)]);
};

describe('an attacker between client and server', () => {
  it('receives no data if TLS is required and unavailable', async () => {
    const heard: Buffer[] = [];
    await using other = await impostor((socket, bytes) => {
      heard.push(bytes);
      socket.write('N');
    });
    expect(await sessionBy(`${other.url}?sslmode=require`)).toMatch(
      /it does not speak TLS \(sslmode=require\)/,
    );
    // Two TLS requests of eight bytes: one from the service and one from a command.
    expect(Buffer.concat(heard)).toHaveLength(16);
  });

  it('cannot inject bytes before the TLS handshake', async () => {
    await using other = await impostor(socket => socket.write(Buffer.concat([Buffer.from('S'), request(0)])));
    expect(await sessionBy(`${other.url}?sslmode=require`)).toMatch(/does not answer whether it speaks TLS/);
  });

  it("cannot skip the server's proof during authentication", async () => {
    await using other = await impostor((socket, heard) => {
      socket.write(heard[0] === 'p'.charCodeAt(0) ? request(0) : request(10, 'SCRAM-SHA-256\0\0'));
    });
    expect(await sessionBy(`${other.url}?sslmode=disable`)).toMatch(
      /did not prove that it knows the password/,
    );
  });

  it.each([
    ['for another password', Buffer.alloc(32, 7).toString('base64')],
    ['that is truncated', Buffer.alloc(31, 7).toString('base64')],
    ['that is empty', ''],
  ])('cannot authenticate itself with a proof %s', async (_, signature) => {
    let proofs = 0;
    await using other = await impostor((socket, heard) => {
      const text = heard.toString('latin1');
      const [, nonce = ''] = /n=,r=(.*)$/.exec(text) ?? [];
      if (nonce) return void socket.write(request(11, `r=${nonce}abc,s=c2FsdA==,i=4096`));
      if (!text.includes('c=biws')) return void socket.write(request(10, 'SCRAM-SHA-256\0\0'));
      proofs++;
      socket.write(Buffer.concat([request(12, `v=${signature}`), request(0)]));
    });
    expect(await sessionBy(`${other.url}?sslmode=disable`)).toMatch(
      /did not prove that it knows the password/,
    );
    expect(proofs).toBeGreaterThan(0);
  });

  it.each([
    ['its own nonce', 'r=abc,s=c2FsdA==,i=4096'],
    ["the client's nonce alone", 'r=NONCE,s=c2FsdA==,i=4096'],
    ['too many iterations', 'r=NONCEabc,s=c2FsdA==,i=1000000'],
    ['no iterations', 'r=NONCEabc,s=c2FsdA==,i=0'],
    ['no salt', 'r=NONCEabc,i=4096'],
  ])('cannot authenticate itself with %s', async (_, first) => {
    await using other = await impostor((socket, heard) => {
      const text = heard.toString('latin1');
      if (text.includes('c=biws')) return void socket.end();
      const [, nonce = ''] = /r=(.*)$/.exec(text) ?? [];
      const isFirst = heard[0] !== 'p'.charCodeAt(0);
      socket.write(isFirst ? request(10, 'SCRAM-SHA-256\0\0') : request(11, first.replace('NONCE', nonce)));
    });
    expect(await sessionBy(`${other.url}?sslmode=disable`)).toMatch(/does not follow the SCRAM protocol/);
  });
});

it('a host with colons is named in brackets', async () => {
  expect(await sessionBy('postgres://me@[::1]:1/x?sslmode=disable')).toMatch(/^\[::1\]:1: connect E/);
});

it('a server that does not start TLS directly may be too old', async () => {
  await using other = await impostor(socket => socket.end());
  expect(await sessionBy(`${other.url}?sslmode=require&sslnegotiation=direct`)).toMatch(
    /\(sslmode=require; sslnegotiation=direct needs PostgreSQL 17\)$/,
  );
});

it.each([
  ['', undefined],
  [
    '&sslnegotiation=direct',
    expect.stringMatching(
      /: it does not speak PostgreSQL within TLS \(sslnegotiation=direct\) \(sslmode=require;/,
    ),
  ],
])(
  'a server that names no protocol within TLS is refused only if it was not asked before: %j',
  async (query, reason) => {
    const { key, certificate: cert } = selfSigned('127.0.0.1');
    await using other = await impostor((socket, heard) => {
      socket.removeAllListeners('data').pause();
      if (query === '') socket.write('S');
      else socket.unshift(heard);
      const encrypted = new TLSSocket(socket, { isServer: true, key, cert });
      encrypted.on('error', () => {}).on('data', () => encrypted.write(Buffer.concat([request(0), READY])));
    });
    const hosts = new Hosts(`${other.url}?sslmode=require${query}`);
    const failure = await dial(hosts, { parameters: {}, connectTimeout: 0 }).then(
      ({ transport }) => void transport.lose(new Error('ended')),
      (error: Error) => error.message,
    );
    expect(failure).toEqual(reason);
  },
);

describe('several hosts', { timeout: 30_000 }, () => {
  it('are tried in order, each within connect_timeout, and a failed host moves to the end', async () => {
    let silences = 0;
    await using silent = await impostor(() => {
      silences++;
    });
    const [, host] = /@(127.0.0.1:\d+)/.exec(silent.url)!;
    const url = toAddress('scram', 'sslmode=require&connect_timeout=1').replace('@', `@${host},`);
    expect(await sessionBy(url)).toEqual({ user: 'scram', ssl: true });
    // Both clients have tried to connect.
    expect(silences).toBe(2);
  });

  it('are all named with their errors but without the password if none can be reached', async () => {
    const ports = [await freePort(), await freePort()];
    const found = await sessionBy(`postgres://me:secret@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/x`);
    expect(found).toBe(ports.map(port => `connect ECONNREFUSED 127.0.0.1:${port}`).join('; '));
  });

  it.each([
    ['53300', 'not now', true],
    ['53400', 'not now', true],
    ['57P01', 'not now', true],
    ['57P02', 'not now', true],
    ['57P03', 'not now', true],
    ['28P01', 'never', false],
    ['28000', 'never', false],
    ['3D000', 'never', false],
    ['42501', 'never', false],
  ])('are tried one after the other while they refuse with %s: %s', async (code, message, isNextTried) => {
    const refuse = (code: string, text: string) => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);
      const head = Buffer.from('E\0\0\0\0', 'latin1');
      head.writeInt32BE(4 + fields.length, 1);
      return impostor(socket => socket.end(Buffer.concat([head, fields])));
    };
    await using one = await refuse(code, message);
    await using other = await refuse('3D000', 'the last one');
    const [first, second] = [one, other].map(({ url }) => new URL(url).host);
    const found = await sessionBy(`postgres://me:secret@${first},${second}/x?sslmode=disable`);
    const refusal = `${first}: ${message}`;
    expect(found).toBe(isNextTried ? `${refusal}; ${second}: the last one` : refusal);
  });

  it.each([
    ['primary', true],
    ['read-write', true],
    ['prefer-standby', true],
    ['standby', false],
    ['read-only', false],
  ])('are filtered by target_session_attrs=%s: %s', async (kind, isIt) => {
    const found = await sessionBy(toAddress('scram', `sslmode=require&target_session_attrs=${kind}`));
    if (isIt) expect(found).toEqual({ user: 'scram', ssl: true });
    else expect(found).toMatch(new RegExp(`it is not ${kind} \\(target_session_attrs\\)`));
  });
});

describe("a command's connection", () => {
  it('closes immediately when ended, even while a statement runs on the server', async () => {
    const database = await createBareDatabase();
    const [holder, command] = [connectOperator(database.url), connectOperator(database.url)];
    await holder`select pg_advisory_lock(1)`;
    const sockets = () =>
      process.getActiveResourcesInfo().filter(kind => /^(Pipe|TCPSocket)Wrap$/.test(kind)).length;
    const before = sockets();
    const waiting = command`select pg_advisory_lock(1)`.catch((error: Error) => error.message);
    // Only this database is examined, because the server also runs other tests.
    const isWaiting = async () =>
      (
        await holder`
          select from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`
      ).length > 0;
    await until(isWaiting);
    await command.end();
    expect(await waiting).toBe('the connection was ended');
    await until(() => sockets() === before);
    expect(await isWaiting()).toBe(true);
    await holder.end();
    await database.drop();
  });

  it('leaves no session behind if it is ended while connecting', async () => {
    const database = await createBareDatabase();
    const [witness, command] = [connectOperator(database.url), connectOperator(database.url)];
    // Sessions of Citus are not counted.
    const sessions = () => witness`
      select from pg_stat_activity
      where datname = current_database() and application_name not ilike 'citus%'`;
    await witness`select 1`;
    const refused = command`select 1`.catch((error: Error) => error.message);
    await command.end();
    expect(await refused).toContain('the connection was abandoned');
    // Polls several times, to detect a session that is still being opened.
    for (let look = 0; look < 20; look++) await sessions();
    await until(async () => (await sessions()).length === 1);
    await witness.end();
    await database.drop();
  });
});
