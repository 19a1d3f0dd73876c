import { expect, it } from 'vitest';
import { describeCall, groupOutcomes } from '../../../test/support/group-outcomes.ts';
import { classifyError } from '../src/client/classify-error.ts';
import { parseAddress } from '../src/dial/address.ts';
import { preparedPassword } from '../src/dial/prepared-password.ts';
import {
  dayNumber,
  dayText,
  itemEnd,
  listLength,
  readInteger,
  readMicroseconds,
  readSeconds,
} from '../src/driver/binary-values.ts';
import { ConnectionLost, findCode, ServerError } from '../src/driver/errors.ts';
import { messageType } from '../src/driver/message-type.ts';
import { ServerMessages } from '../src/driver/server-messages.ts';

const BASE = 'postgres://u:p@h:1/d';
const SETTINGS: Record<string, string[]> = {
  load_balance_hosts: ['disable', 'random', 'x', ''],
  target_session_attrs: ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby', 'Any'],
  connect_timeout: ['0', '-1', '1', '999999999', '1000000000', '1.5', 'x', ''],
  keepalives: ['0', '1', '2'],
  keepalives_idle: ['0', '-5', '7', 'x'],
  passfile: ['/x', ''],
  application_name: ['a%20b'],
  options: ['-c%20x=y=z'],
  channel_binding: ['disable', 'prefer', 'require', 'x'],
  require_auth: ['md5', 'none,password', '!md5', '!md5,!password', 'md5,!none', 'x', '!x', 'scram-sha-256'],
  client_encoding: ['utf8', 'UTF8', 'utf-8', 'UTF-8', 'auto', 'latin1'],
  gssencmode: ['disable', 'prefer', 'require'],
  sslmode: ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'x'],
  ssl: ['true', 'false', 'verify-full'],
  sslnegotiation: ['postgres', 'direct'],
  sslrootcert: ['system', '/ca'],
  sslcrl: ['/crl'],
  sslcert: ['/c'],
  sslkey: ['/k'],
  sslpassword: ['s'],
  sslsni: ['0', '1', '2'],
  ssl_min_protocol_version: ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3', 'TLSv1.4'],
  ssl_max_protocol_version: ['TLSv1.2', 'x'],
  host: ['a,b', '/run', '/run//', '', ','],
  hostaddr: ['10.0.0.1', '1.1.1.1,2.2.2.2', ''],
  port: ['0', '1', '65535', '65536', '1.5', 'x', '1,2', ''],
  user: ['v', ''],
  password: ['q'],
  dbname: ['e'],
  other: ['x'],
};
const COMBINED = [
  ...[
    'sslmode=require&sslrootcert=/ca',
    'sslmode=verify-ca&sslrootcert=/ca',
    'sslmode=require&sslrootcert=system',
  ],
  ...[
    'sslmode=verify-full&sslrootcert=system',
    'sslcert=/c&sslkey=/k',
    'sslnegotiation=direct&sslmode=require',
  ],
  ...[
    'sslnegotiation=direct&sslmode=verify-full',
    'sslnegotiation=direct&sslmode=prefer',
    'keepalives=0&keepalives_idle=9',
  ],
  ...[
    'host=a,b&port=1,2',
    'host=a,b&port=1,2,3',
    'host=a,b&hostaddr=1.1.1.1',
    'host=a,b&hostaddr=,2.2.2.2',
    'host=/run,b&port=7',
  ],
  ...[
    'port=&host=x',
    'user',
    'user=a&user=b',
    '=x',
    '%zz=x',
    'user=%zz',
    'user=%00',
    '&&user=a&',
    'application%5fname=z',
  ],
];
const URIS = [
  ...[
    'postgresql://u@h',
    'postgres://u@',
    'postgres://u@/d',
    'postgres://u@[::1]:7/d',
    'postgres://u@[::1]/d',
    'http://u@h',
  ],
  ...[
    'postgres://u:p@q@h/d',
    'postgres://u:a:b@h/d',
    'postgres://u%40x:p%3A@h/d%2Fe',
    'postgres://u@h:/d',
    'postgres://u@h:x/d',
  ],
  ...[
    'postgres://u@a:1,b:2,c/d',
    'postgres://u@a,b:2/d',
    'postgres://u@a:1:2/d',
    'postgres://u@[::1/d',
    'postgres://u@%2Frun/d',
    '',
  ],
  ...[
    'postgres://u:@h/d',
    'postgres://u@h/?dbname=x',
    'postgres://u@h/d/e?user=x',
    'postgres://u@h?dbname=x',
    'POSTGRES://u@h',
  ],
];

/** Lists the fields of an address that differ from the usual one. */
function describe(uri: string): string {
  const flat = (address: ReturnType<typeof parseAddress>) => {
    const { encryption, methods, ...rest } = address;
    return Object.entries({ ...rest, ...encryption, methods: [...methods] });
  };
  return describeCall(() => {
    const usual = new Map(flat(parseAddress(BASE)).map(([name, value]) => [name, JSON.stringify(value)]));
    const other = flat(parseAddress(uri)).filter(
      ([name, value]) => usual.get(name) !== JSON.stringify(value),
    );
    return (
      other.map(([name, value]) => `${name} ${JSON.stringify(value) ?? 'absent'}`).join(' ') || 'as usual'
    );
  });
}

it('each database address is parsed or refused as recorded', async () => {
  const settings = Object.entries(SETTINGS).flatMap(([name, values]) =>
    values.map(value => `${name}=${value}`),
  );
  const queries = [...settings, ...COMBINED].map(query => [query, describe(`${BASE}?${query}`)] as const);
  const uris = URIS.map(uri => [uri, describe(uri)] as const);
  await expect(`${groupOutcomes(queries)}\n${groupOutcomes(uris)}`).toMatchFileSnapshot(
    './recorded/addresses.txt',
  );
});

/** A message with its length. */
function message(type: string, body: string | Buffer, length = Buffer.byteLength(body) + 4): Buffer {
  const head = Buffer.alloc(5);
  head[0] = messageType(type);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

it('each message of a server is passed on or refused as recorded', async () => {
  const collect = (chunks: readonly Buffer[]) =>
    describeCall(() => {
      const seen: string[] = [];
      const messages = new ServerMessages({
        read: (type, bytes, at, end) =>
          void seen.push(
            `${String.fromCharCode(type)}${end - at > 20 ? end - at : bytes.toString('latin1', at, end)}`,
          ),
        flush: () => void seen.push('.'),
      });
      try {
        for (const chunk of chunks) messages.take(chunk);
      } catch (error) {
        seen.push((error as Error).message);
      }
      return plain(seen.join(' '));
    });
  const types = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(one =>
    /[!-~]/.test(one),
  );
  const outcomes = types.map(
    type => [type, collect([message(type, 'ab')]).replace(/^.(?=ab)/, 'T')] as const,
  );
  const valid = Buffer.concat([message('D', 'row'), message('C', ''), message('Z', 'I')]);
  for (let at = 0; at <= valid.length; at++)
    outcomes.push([`cut at ${at}`, collect([valid.subarray(0, at), valid.subarray(at)])] as const);
  outcomes.push(['byte by byte', collect(Array.from(valid, byte => Buffer.from([byte])))] as const);
  for (let at = 0; at < valid.length; at++)
    for (const value of [0, 5, 255]) {
      const changed = Buffer.from(valid);
      changed[at] = value;
      outcomes.push([`byte ${at} is ${value}`, collect([changed])] as const);
    }
  for (const length of [3, 4, 1024 * 1024, 1024 * 1024 + 1, 64 * 1024 * 1024, 64 * 1024 * 1024 + 1])
    for (const type of ['D', 'N'])
      outcomes.push([`${type} of ${length}`, collect([message(type, '', length)])] as const);
  const long = message('D', Buffer.alloc(5000, 'x'));
  outcomes.push([
    'a long row in parts',
    collect([long.subarray(0, 3), long.subarray(3, 4500), long.subarray(4500), valid]),
  ] as const);
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/server-messages.txt');
});

it('each field of an error is read, and its class found, as recorded', async () => {
  const letters = [...'SVCMDHPpqWstcdnFLRx'];
  const fields = letters.map(letter => {
    const { name, message, stack: _, ...rest } = new ServerError(`${letter}text\0\0`);
    return [letter, `${name}: ${message} ${JSON.stringify(rest)}`] as const;
  });
  const codes = [
    '08006',
    '08P01',
    '28000',
    '28P01',
    '3D000',
    '53300',
    '53200',
    '57P01',
    '57P03',
    '57P04',
    '57P05',
    '57014',
    '42601',
    '',
  ];
  const classes = ['', 'ERROR', 'FATAL', 'PANIC', 'fatal'].flatMap(severity =>
    codes.map(
      code =>
        [
          `${severity || 'none'} ${code}`,
          classifyError(new ServerError(`C${code}\0${severity && `V${severity}\0`}`)),
        ] as const,
    ),
  );
  const cause = Object.assign(new Error('inner'), { code: 'EPIPE' });
  const lost = ConnectionLost.by(cause);
  const others = [
    classifyError(cause),
    classifyError(undefined),
    lost.name,
    lost.message,
    findCode(lost),
    findCode(new Error('x')),
  ];
  const all = [
    groupOutcomes(fields),
    groupOutcomes(classes),
    others.join(' '),
    String(ConnectionLost.by(lost) === lost),
  ];
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot('./recorded/errors.txt');
});

it('each binary value is read as recorded', async () => {
  const bytes = [
    '0000',
    '7fff',
    '8000',
    'ffff',
    '00000000',
    '7fffffff',
    '80000000',
    'ffffffff',
    '0000000000000001',
    '00000001ffffffff',
    'ffffffffffffffff',
    '001fffffffffffff',
    '8000000000000000',
    '0002a3dc2f5e5a80',
    'fffffffffff0bdbf',
    'fffffffffff0bdc0',
  ];
  const outcomes = bytes.flatMap(hex => {
    const value = Buffer.from(hex, 'hex');
    const instant = value.length === 8 ? ` ${readSeconds(value, 0)} ${readMicroseconds(value, 0)}` : '';
    return [[hex, `${readInteger(value, 0, value.length)}${instant}`] as const];
  });
  const days = [-730_120, -730_119, -1, 0, 1, 59, 60, 2_921_939, 2_921_940];
  const dates = ['2000-01-01', '1999-12-31', '1970-01-01', '9999-12-31', '0001-01-01'];
  const list = (dimensions: number, length: number, rest: number) => {
    const array = Buffer.alloc(20 + rest);
    array.writeInt32BE(dimensions, 0);
    array.writeInt32BE(length, 12);
    return array;
  };
  const lists = [
    [0, 9, 0],
    [1, 0, 0],
    [1, 2, 8],
    [1, 2, 7],
    [1, 2, 9],
    [2, 1, 20],
  ].map(([dimensions, length, rest]) => {
    const array = list(dimensions!, length!, rest!);
    return [
      `list ${dimensions} ${length} ${rest}`,
      describeCall(() => listLength(array, 0, array.length)),
    ] as const;
  });
  const items = [-1, 0, 4, 5, 8, 9].map(length => {
    const item = Buffer.alloc(8);
    item.writeInt32BE(length, 0);
    return [`item ${length}`, describeCall(() => itemEnd(item, 0, 8))] as const;
  });
  const passwords = [
    'a b',
    'a\u00a0b',
    'a\u00adb',
    '\u2168',
    'ﬁ',
    '\u00ad',
    'a\u0007',
    '\u200b',
    '\u2028',
    '\ue000',
    '\u{f0000}',
    '\ufdd0',
    '\u1fff',
  ];
  const all = [
    ...outcomes,
    ...days.map(day => [`day ${day}`, describeCall(() => dayText(day))] as const),
    ...dates.map(date => [date, String(dayNumber(date))] as const),
    ...lists,
    ...items,
    ...passwords.map(one => [`password ${plain(one)}`, plain(preparedPassword(one))] as const),
  ];
  await expect(groupOutcomes(all)).toMatchFileSnapshot('./recorded/binary-values.txt');
});

const plain = (text: string) =>
  text.replace(/[^ -~]/gu, character => `\\u${character.codePointAt(0)!.toString(16)}`);
