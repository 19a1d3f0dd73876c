import { readLine } from '@sightline/feed';
import {
  LONGEST_HOST,
  REPORT_COLUMNS,
  REPORT_TYPE_DEFINITIONS,
  type ReportColumn,
  reverseHost,
} from '@sightline/reports';
import { expect, it } from 'vitest';
import { type Line, report } from './lines.ts';

const DAYS = { first: '2016-12-31', last: '2027-01-01' };
const HOSTS = [
  'host_reversed',
  'blocked_host_reversed',
  'subresource_host_reversed',
  'hosts_reversed',
] as const;
const PLACES = [...HOSTS, 'path', 'blocked_path', 'subresource_path', 'source_class', 'sender'] as const;

/** Returns what is derived from the addresses of a report; hosts are shown in their usual order. */
function derive(line: Line): string {
  const found = readLine(JSON.stringify(report('r', line)), DAYS);
  if (found.kind !== 'report') throw new Error('not a report');
  const cells = new Map(REPORT_COLUMNS.map((name, index) => [name as ReportColumn, found.row.cells[index]]));
  return PLACES.flatMap(name => {
    const cell = cells.get(name);
    if (cell === undefined) return [];
    // The items of a list follow their lengths of four bytes, after a head of twenty bytes.
    const texts =
      name === 'hosts_reversed'
        ? cell
            .slice(20)
            .split(/\0\0\0./s)
            .slice(1)
        : [cell];
    const isHost = (HOSTS as readonly string[]).includes(name);
    const shown = texts.map(text => (isHost ? reverseHost(text) : text));
    return `${name}=${shown.join(' ').replace(/a{40,}/g, as => `${as.length}×a`)}`;
  }).join(' ');
}

/** Gives each text and list of a type another host, so that it is visible which of them counts. */
const toDifferent = (type: string): Line => {
  const { fields, filterOnly } = REPORT_TYPE_DEFINITIONS.find(definition => definition.type === type)!;
  const given = [...fields, ...filterOnly].filter(({ name, computed }) => !computed && name !== 'id');
  const entries = given.flatMap(({ name, kind, values }): [string, unknown][] => {
    const host = `${name.toLowerCase()}.example`;
    const isAddress = /ur[il]$|connection|srcattribute|referrer|sourcefile/i.test(name);
    if (kind === 'text' && !values) return [[name, isAddress ? `https://${host}/${name}?q#f` : host]];
    if (kind === 'texts') return [[name, [host, `B.${host}.`]]];
    return kind === 'boolean' && name !== 'isTopLevel' ? [[name, true]] : [];
  });
  return { type, ...Object.fromEntries(entries), raw: '{}' };
};

const long = (length: number) =>
  `${'a'.repeat(60)}.`
    .repeat(5)
    .slice(0, length - 8)
    .replace(/\.$/, 'a')
    .concat('.example');

/** Variants of an address and of a host name. */
const ADDRESSES = [
  ...[
    'https://A.Example:8443/Path/?q=1#f',
    'https://a.example',
    'http://u:p@a.example./x',
    'https://bücher.example/ü',
  ],
  ...[
    'https://[2001:DB8::1]:1/x',
    'https://192.0.2.1/x',
    'https://a.example/x ?q',
    'https://a.example/x\n#f',
    ' https://a.example/x ',
  ],
  ...[
    'https://a.example/^?^',
    'wss://a.example/s',
    'ftp://a.example/f',
    'blob:https://a.example/1',
    'data',
    'inline',
    'about:blank',
    '',
  ],
  ...[LONGEST_HOST, LONGEST_HOST + 1].map(length => `https://${long(length)}/x`),
];
const NAMES = [
  ...[
    'A.Example.',
    'a.example:25',
    'bücher.example',
    '*.a.example',
    '192.0.2.1',
    '2001:db8::1',
    ' a.example ',
    '',
  ],
];

it('hosts, paths, classes and senders come from the fields recorded', async () => {
  const text = REPORT_TYPE_DEFINITIONS.map(({ type, addresses: { page, blocked, subresource } }) => {
    const different = toDifferent(type);
    const fields = [page, blocked, subresource].filter(name => name !== undefined);
    const without = fields.map(name => {
      const { [name]: _, ...rest } = different;
      return `  without ${name}: ${derive(rest)}\n`;
    });
    return `${type}: ${derive(different)}\n${without.join('')}`;
  });
  const variants = [
    ...ADDRESSES.map(uri => `page ${JSON.stringify(uri)}: ${derive({ type: 'deprecation', uri })}\n`),
    ...ADDRESSES.map(
      blockedUri =>
        `blocked ${JSON.stringify(blockedUri)}: ${derive({ uri: 'https://www.a.example/', blockedUri })}\n`,
    ),
    ...ADDRESSES.map(
      subresourceUri =>
        `subresource ${JSON.stringify(subresourceUri)}: ${derive({ type: 'csp_integrity', uri: 'https://b.example/', subresourceUri })}\n`,
    ),
    ...NAMES.map(
      headerFrom =>
        `mail from ${JSON.stringify(headerFrom)}: ${derive({ type: 'dmarc', aligned: true, headerFrom })}\n`,
    ),
    `certificate: ${derive({ type: 'certificate_transparency', hostnames: NAMES.filter(name => name !== '') })}\n`,
    `certificate without names: ${derive({ type: 'certificate_transparency', hostnames: [] })}\n`,
  ].join('');
  const short = (all: string) => all.replace(/(?:a{60}\.)+/g, match => `(${match.length} characters).`);
  await expect(short(`${text.join('')}\n${variants}`)).toMatchFileSnapshot('./recorded/hosts.txt');
});
