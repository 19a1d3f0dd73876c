import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AuthenticationExchange } from '../src/dial/authentication.ts';
import { channelBinding } from '../src/dial/channel-binding.ts';
import { preparedPassword } from '../src/dial/prepared-password.ts';
import { Startup } from '../src/dial/startup.ts';
import { messageType } from '../src/driver/message-type.ts';
import { parseAddress } from '../src/index.ts';

const request = (code: number, text = '') => {
  const head = Buffer.alloc(4);
  head.writeInt32BE(code);
  return Buffer.concat([head, Buffer.from(text)]);
};
const exchange = (password: string | undefined = 'secret', query = '') =>
  new AuthenticationExchange({
    address: parseAddress(`postgres://me@db/x${query}`),
    password,
    certificate: undefined,
  });

describe('an authentication request', () => {
  it.each([
    [2, 'Kerberos'],
    [7, 'GSSAPI'],
    [8, 'GSSAPI'],
    [9, 'SSPI'],
  ])('of type %i is refused with the name %s', (type, name) => {
    expect(() => exchange().answer(request(type))).toThrow(
      `the server asks for authentication by ${name}, which is not supported`,
    );
  });

  it.each([1, 4, 6, 11, 12, 13])('of the unexpected type %i is refused', type => {
    expect(() => exchange().answer(request(type))).toThrow('no such authentication');
  });

  it('for an unknown mechanism is refused with the names of all that were offered', () => {
    expect(() => exchange().answer(request(10, 'SCRAM-SHA-1\0OAUTHBEARER\0\0'))).toThrow(
      'the server offers no supported authentication method: SCRAM-SHA-1, OAUTHBEARER',
    );
  });

  it('for a password is answered with the password, or its MD5 digest with the user and the salt', () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const toText = (answer: unknown) => (answer as Buffer).toString();
    expect(toText(exchange().answer(request(3)))).toBe('p\0\0\0\x0bsecret\0');
    expect(toText(exchange().answer(request(5, 'salt')))).toBe(
      `p\0\0\0\x28md5${md5(`${md5('secretme')}salt`)}\0`,
    );
  });

  it.each([
    ['?require_auth=md5', 3, 'the server asks for password, and require_auth does not allow that'],
    ['?require_auth=!md5', 5, 'the server asks for md5, and require_auth does not allow that'],
    ['?require_auth=password', 10, 'the server asks for scram-sha-256, and require_auth does not allow that'],
    ['?require_auth=!none', 0, 'require_auth demands that the server asks for a password'],
    ['?channel_binding=require', 0, 'channel_binding=require, and the server authenticates without it'],
    ['?channel_binding=require', 3, 'channel_binding=require, and the server asks for password'],
    ['?channel_binding=require', 10, 'channel_binding=require, and the connection is not encrypted'],
  ])('is refused by %s: type %i', (query, type, message) => {
    expect(() => exchange('secret', query).answer(request(type, 'SCRAM-SHA-256\0\0'))).toThrow(message);
  });

  it('is not needed by default, also without a password', () => {
    const trusted = exchange('');
    expect([trusted.isDone, trusted.answer(request(0)), trusted.isDone]).toEqual([false, undefined, true]);
  });
});

/** Writes an element of DER with a length of one or three bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([
    Buffer.from(length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]),
    content,
  ]);
}
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
const certificate = (algorithm: string, parameters = der(5)) =>
  der(0x30, der(0x30, Buffer.alloc(300)), der(0x30, oid(algorithm), parameters), der(3, Buffer.alloc(8)));
const PSS = '2a864886f70d01010a';
const pss = (tag: number, hash: string) => certificate(PSS, der(0x30, der(tag, der(0x30, oid(hash)))));

describe('the channel binding', () => {
  it.each([
    ['RSA with MD5', certificate('2a864886f70d010104'), 'sha256'],
    ['RSA with SHA-1', certificate('2a864886f70d010105'), 'sha256'],
    ['RSA with SHA-256', certificate('2a864886f70d01010b'), 'sha256'],
    ['RSA with SHA-384', certificate('2a864886f70d01010c'), 'sha384'],
    ['RSA with SHA-512', certificate('2a864886f70d01010d'), 'sha512'],
    ['RSA with SHA-224', certificate('2a864886f70d01010e'), 'sha224'],
    ['ECDSA with SHA-1', certificate('2a8648ce3d0401'), 'sha256'],
    ['ECDSA with SHA-224', certificate('2a8648ce3d040301'), 'sha224'],
    ['ECDSA with SHA-256', certificate('2a8648ce3d040302'), 'sha256'],
    ['ECDSA with SHA-384', certificate('2a8648ce3d040303'), 'sha384'],
    ['ECDSA with SHA-512', certificate('2a8648ce3d040304'), 'sha512'],
    ['RSASSA-PSS with SHA-256', pss(0xa0, '608648016503040201'), 'sha256'],
    ['RSASSA-PSS with SHA-384', pss(0xa0, '608648016503040202'), 'sha384'],
    ['RSASSA-PSS with SHA-512', pss(0xa0, '608648016503040203'), 'sha512'],
    ['RSASSA-PSS with another hash for its mask', pss(0xa1, '608648016503040203'), 'sha256'],
    ['RSASSA-PSS with defaults', certificate(PSS, der(0x30)), 'sha256'],
  ])('of a certificate that is signed by %s is its digest by %s', (_, bytes, hash) => {
    expect(channelBinding(bytes)?.toString('hex')).toBe(createHash(hash).update(bytes).digest('hex'));
  });

  it('of a certificate that is signed by Ed25519 is undefined', () => {
    expect(channelBinding(certificate('2b6570'))).toBeUndefined();
  });
});

describe('channel binding', () => {
  const RSA = certificate('2a864886f70d01010b');
  const ED25519 = certificate('2b6570');
  const BOTH = 'SCRAM-SHA-256\0SCRAM-SHA-256-PLUS\0\0';
  const begin = (query: string, bytes: Buffer | undefined, offer: string) => {
    const address = parseAddress(`postgres://me@db/x${query}`);
    const credentials = { address, password: 'secret', certificate: bytes };
    return String(new AuthenticationExchange(credentials).answer(request(10, offer)));
  };

  it.each([
    ['is used if both support it', '', RSA, BOTH, 'SCRAM-SHA-256-PLUS', 'p=tls-server-end-point'],
    ['is announced if only the client supports it', '', RSA, 'SCRAM-SHA-256\0\0', 'SCRAM-SHA-256', 'y'],
    ['is not announced without TLS', '', undefined, BOTH, 'SCRAM-SHA-256', 'n'],
    ['is not announced for a certificate of an unknown kind', '', ED25519, BOTH, 'SCRAM-SHA-256', 'n'],
    ['is not announced if it is disabled', '?channel_binding=disable', RSA, BOTH, 'SCRAM-SHA-256', 'n'],
  ])('%s', (_, query, bytes, offer, mechanism, header) => {
    const sent = /^p.{4}([^\0]+)\0.{4}([^,]+),,n=,r=/s.exec(begin(query, bytes, offer));
    expect(sent?.slice(1)).toEqual([mechanism, header]);
  });

  it('that is required is refused if the server does not offer it', () => {
    expect(() => begin('?channel_binding=require', RSA, 'SCRAM-SHA-256\0\0')).toThrow(
      'channel_binding=require, and the server does not offer it',
    );
  });
});

describe('the start of a session', () => {
  const [ok, clear, sasl] = [request(0), request(3), request(10, 'SCRAM-SHA-256\0\0')];

  /** Passes these messages to a client, and returns what it does. */
  async function start(...messages: [type: string, body: Buffer | string][]): Promise<string[]> {
    const log: string[] = [];
    const startup = new Startup({
      credentials: {
        address: parseAddress('postgres://me@db/x'),
        password: 'secret',
        certificate: undefined,
      },
      parameters: {},
      transport: {
        write: bytes => void log.push(`sends ${bytes.toString('latin1', 0, 1)}`),
        lose(error) {
          log.push(`loses: ${error.message}`);
          return error;
        },
      },
      onReady: () => void log.push('is ready'),
    });
    for (const [type, body] of messages)
      try {
        const bytes = Buffer.concat([Buffer.from('before'), Buffer.from(body), Buffer.from('after')]);
        startup.read(messageType(type), bytes, 6, bytes.length - 5);
      } catch (error) {
        log.push((error as Error).message);
      }
    await nextTurn();
    return log;
  }

  const REFUSED = 'a message that does not belong to the start of a session';
  it.each<[string, [string, Buffer | string][], string[]]>([
    [
      'is over once the server is ready',
      [
        ['R', ok],
        ['S', 'a\0b\0'],
        ['K', 'key'],
        ['Z', 'I'],
      ],
      ['is ready'],
    ],
    [
      'can contain notices',
      [
        ['N', 'x'],
        ['R', ok],
        ['N', 'x'],
        ['Z', 'I'],
      ],
      ['is ready'],
    ],
    ['needs an authentication', [['Z', 'I']], [REFUSED]],
    [
      'has no settings before it',
      [
        ['S', 'a\0b\0'],
        ['K', 'key'],
      ],
      [REFUSED, REFUSED],
    ],
    [
      'has no second authentication',
      [
        ['R', ok],
        ['R', clear],
      ],
      [REFUSED],
    ],
    [
      'has no rows',
      [
        ['R', ok],
        ['D', 'x'],
      ],
      [REFUSED],
    ],
    ['ends with an error', [['E', 'Mno\0\0']], ['loses: no']],
    [
      'waits for the answer to a request',
      [
        ['R', sasl],
        ['R', request(11, 'x')],
        ['R', ok],
      ],
      ['sends p', REFUSED, 'loses: the server does not follow the SCRAM protocol'],
    ],
    [
      'answers a request',
      [
        ['R', clear],
        ['R', ok],
        ['Z', 'I'],
      ],
      ['sends p', 'is ready'],
    ],
  ])('%s', async (_, messages, log) => {
    expect(await start(...messages)).toEqual(log);
  });
});

// RFC 4013, section 2, and the tables of RFC 3454.
it.each<[string, string]>([
  ['a\u1680b', 'a b'],
  ['a\u2000b', 'a b'],
  ['a\u200bb', 'a b'],
  ['a\u202fb', 'a b'],
  ['a\u205fb', 'a b'],
  ['a\u3000b', 'a b'],
  ['a\u034fb', 'ab'],
  ['a\u1806b', 'ab'],
  ['a\u180bb', 'ab'],
  ['a\u200db', 'ab'],
  ['a\u2060b', 'ab'],
  ['a\ufe0fb', 'ab'],
  ['a\ufeffb', 'ab'],
  ['\u00ad', '\u00ad'],
  ...['\u007f', '\u009f', '\u06dd', '\u070f', '\u180e', '\u2028', '\u2061', '\u206f', '\ufffd', '\u{1d173}']
    .concat(['\ue000', '\u{f0000}', '\u200e', '\u202a', '\u2ff0', '\ufdd0', '\u{e0001}', '\u{e0020}'])
    .map(character => [`½${character}`, `½${character}`] as [string, string]),
])('the password %j is prepared as %j', (password, prepared) => {
  expect(preparedPassword(password)).toBe(prepared);
});
