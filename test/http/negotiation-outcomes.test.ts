import { expect, it } from 'vitest';
import { codingFor } from '../../src/http/compress.ts';
import { matches, toEntityTag } from '../../src/http/conditional.ts';
import { namesType, preferredType } from '../../src/http/negotiate.ts';
import { requestWithUnknownMethod } from '../../src/http/unknown-methods.ts';
import { groupByPlace, type Outcome } from '../support/group-outcomes.ts';

/** Records what comes of header values. */

const long = (length: number, start: string) => start + ' '.repeat(length - start.length);

it('each Accept header prefers the type that is recorded', async () => {
  const ranges = ['text/csv', 'TEXT/CSV', 'application/json', 'text/*', '*/*', '*', 'text', 'text/', '/csv'];
  const ends = ['', ';q=0', ';q=0.5', ';q="0.5"', ';Q=0.1', ';q=2', ';q=-1', ';q=x', ';', '; charset=utf-8'];
  const more = [
    '; charset=latin1',
    '; header=absent',
    ';header=present;q=0.2',
    '; x="a,b"',
    ', application/json;q=0.3',
  ];
  const headers: (string | undefined)[] = [
    undefined,
    '',
    ',',
    ' , ',
    long(1024, 'text/csv'),
    long(1025, 'text/csv'),
  ];
  for (const range of ranges) for (const end of [...ends, ...more]) headers.push(range + end);
  const lists = [
    ['application/json; charset=utf-8', 'text/csv; charset=utf-8'],
    ['text/csv; header=present', 'text/csv; header=absent', 'application/json'],
    ['text/plain; version=0.0.4'],
  ];
  const text = lists.map(offers => {
    const outcomes = headers.map((header): Outcome => {
      const value = header?.replace(/ {9,}/, spaces => `(${spaces.length} spaces)`);
      return [
        `: ${value === undefined ? 'absent' : JSON.stringify(value)}`,
        String(preferredType(header, offers)),
      ];
    });
    return `${offers.join(' or ')}\n${everyOne(outcomes)}`;
  });
  const named = headers.map(
    (header): Outcome => [
      `: ${JSON.stringify(header?.trimEnd())}`,
      namesType(header, 'text/csv') ? 'named' : 'not named',
    ],
  );
  await expect(`${text.join('\n')}\ntext/csv\n${everyOne(named)}`).toMatchFileSnapshot(
    './recorded/accept.txt',
  );
});

/** Like `groupByPlace`, with each change on a line of its own. */
function everyOne(outcomes: readonly Outcome[]): string {
  return groupByPlace(outcomes.map(([change, outcome]): Outcome => [`${change.slice(2)}: `, outcome]));
}

it('each Accept-Encoding header prefers the coding that is recorded', async () => {
  const one = ['br', 'gzip', 'BR', 'x-gzip', 'deflate', 'identity', '*'];
  const headers = ['', ',', ...one.flatMap(name => [name, `${name};q=0`, `${name};q=0.1`, `${name};q=2`])];
  for (const name of one)
    for (const other of one) headers.push(`${name};q=0.5, ${other}`, `${name};q=0, ${other};q=0.2`);
  const outcomes = [undefined, ...headers, long(1024, 'gzip'), long(1025, 'gzip')].map(
    (header): Outcome => [`${header?.trimEnd()} (${header?.length}): `, String(codingFor(header))],
  );
  await expect(groupByPlace(outcomes)).toMatchFileSnapshot('./recorded/accept-encoding.txt');
});

it('each If-None-Match header matches as recorded', async () => {
  const tag = toEntityTag('content');
  const opaque = tag.slice(2);
  const headers = [
    tag,
    opaque,
    opaque.slice(1, -1),
    `w/${opaque}`,
    `x${opaque}`,
    `${opaque}x`,
    `W/ ${opaque}`,
    '*',
    '',
  ];
  const lists = headers.flatMap(one => [
    one,
    `"a", ${one}`,
    `${one},"a"`,
    `"a"${one}`,
    `${one}"a"`,
    `xW/${one}`,
    `\t${one}\t`,
  ]);
  const outcomes = [undefined, ...lists].map(
    (header): Outcome => [
      `${header?.replaceAll(opaque, '"TAG"').replaceAll(opaque.slice(1, -1), 'TAG')}: `,
      matches(header, tag) ? 'matches' : 'differs',
    ],
  );
  await expect(`${tag}\n${groupByPlace(outcomes)}`).toMatchFileSnapshot('./recorded/if-none-match.txt');
});

it('each request line with an unknown method is read as recorded', async () => {
  const lines = [
    'BREW /a?b=c HTTP/1.1',
    'GET / HTTP/1.1',
    'brew /?a?b HTTP/1.0',
    'B@D / HTTP/1.1',
    "B!#$%&'*+.^`|~-_ / HTTP/1.1",
  ];
  lines.push(
    'BREW  / HTTP/1.1',
    'BREW / HTTP/2.0',
    'BREW /\u007f HTTP/1.1',
    'BREW /',
    ' BREW / HTTP/1.1',
    'BREW * HTTP/1.1',
  );
  const outcomes = lines.flatMap(line =>
    [0, 1, 4, line.length, line.length + 2, line.length + 3].map((bytesParsed): Outcome => {
      const rawPacket = Buffer.from(`${line}\r\nHost: a\r\n\r\n`);
      const found = requestWithUnknownMethod(Object.assign(new Error('no'), { rawPacket, bytesParsed }));
      const outcome = found ? `${found.method} ${found.path} ${found.query}` : 'nothing';
      return [`${JSON.stringify(line)} after: ${bytesParsed}`, outcome];
    }),
  );
  await expect(groupByPlace(outcomes)).toMatchFileSnapshot('./recorded/unknown-methods.txt');
});
