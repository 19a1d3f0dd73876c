import { LLMS } from '@sightline/web/served';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { graphSchema, restSchema } from '../schema/index.ts';
import { detectForm } from '../src/export/forms.ts';
import { METRICS_RELEASE, metricsForm } from '../src/export/metrics.ts';
import { Documents } from '../src/graphql/documents.ts';
import { checkBody, checkFields, checkVariables } from '../src/graphql/limits.ts';
import { chooseResponseType, readBodyType } from '../src/graphql/media-types.ts';
import { chooseOperation } from '../src/graphql/operation.ts';
import { toOutcome } from '../src/graphql/outcome.ts';
import { parseKey } from '../src/keys/format.ts';
import { redact } from '../src/observability/redact.ts';
import { servedFiles } from '../src/pages/served.ts';

const attempt = (work: () => unknown): string => {
  try {
    return JSON.stringify(work()) ?? 'undefined';
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};
const ofErrors = (errors: readonly GraphQLError[]) =>
  errors.map(({ message, extensions }) => `${message} ${JSON.stringify(extensions)}`).join(' | ');
const shorten = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text;
};

it('each scalar reads values as recorded', async () => {
  const values: unknown[] = [
    ...['', ' ', 'a', 'é', '😀', 'a\0b', '0', '1', '-1', '7', '100', '101', '1.5', '1e1', '01', '１'],
    ...[
      '2026',
      '2026-05',
      '2026-13',
      '2026-05-20',
      '2026-05-20T10',
      '2026-05-20T24:00Z',
      '2026-05-20T10:30Z',
    ],
    ...[
      '2026-05-20T10:30:15.1+14:00',
      '0000-01-01',
      '9999-12-31T23:59:59-14:00',
      '*.example.com',
      'a,b',
      '/a/*',
    ],
    ...[
      'true',
      'csp',
      'v=DMARC1; p=none',
      "default-src 'self'",
      'ab'.repeat(32),
      'AB'.repeat(32),
      'a'.repeat(254),
    ],
    ...['a'.repeat(2049), 'a'.repeat(4097), 'a'.repeat(16_385)],
    ...[0, 1, -1, 7, 100, 101, 1.5, 1000, 1001, 2 ** 31, 2 ** 53, true, false, [], {}, ['x'], { x: 1 }],
  ];
  const scalars = new Map(
    [graphSchema, restSchema].flatMap(schema =>
      Object.values(schema.getTypeMap())
        .filter(type => type instanceof GraphQLScalarType)
        .map(type => [type.name, type] as const),
    ),
  );
  const said = [...scalars.values()].flatMap(type => {
    const outcomes = new Map<string, string[]>();
    for (const value of values) {
      const outcome = attempt(() => {
        const read = type.parseValue(value);
        return read === value ? 'as given' : shorten(read);
      }).replace(/(represent .*?: ).*/, '$1…');
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), shorten(value)]);
    }
    return [type.name, ...[...outcomes].map(([outcome, given]) => `  ${outcome} ← ${given.join(' ')}`)];
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./recorded/scalars.txt');
});

it('requests of GraphQL and exports are understood as recorded', async () => {
  const documents = new Documents();
  const texts = [
    ...['', '{', '{ nothing }', '{ viewer }', '{ __typename }', 'mutation { a }', 'subscription { a }'],
    ...['query A { __typename } query B { __typename }', 'fragment F on Query { __typename }'],
    ...[15, 16].map(count => `{ ${Array.from({ length: count }, (_, n) => `a${n}: __typename`).join(' ')} }`),
    ...[50, 51].map(count => `{ __typename ${'@skip(if: false) '.repeat(count)} }`),
    ...[300, 301].map(count => `{ ${'__typename '.repeat(count)} }`),
    ...[998, 999].map(count => `{ ${'a '.repeat(count)} }`),
    ...[250_000, 250_001].map(length => '{ __typename }'.padEnd(length)),
    ...[14, 15, 16].map(
      depth => `{ __type(name: "A") ${'{ ofType '.repeat(depth)}{ name }${' }'.repeat(depth)} }`,
    ),
    `{ viewer { svc_d_${'a'.repeat(36)} } }`,
  ];
  const said = texts.map(text => {
    const found = documents.get(text);
    if ('errors' in found) return `${shorten(text)}: ${ofErrors(found.errors)}`;
    const chosen = [undefined, null, 'A', 'C'].map(name => {
      const one = chooseOperation(found.operations, name);
      if (one instanceof GraphQLError) return ofErrors([one]);
      const read = one.read({});
      return 'errors' in read ? ofErrors(read.errors) : `runs ${one.definition.name?.value ?? ''}`;
    });
    return [`${shorten(text)}:`, ...chosen.map(one => `  ${one}`)].join('\n');
  });
  for (const count of [9999, 10_000, 10_001]) {
    said.push(
      `body of ${count} values: ${ofErrors([checkBody(Buffer.from(`"[\\"["${','.repeat(count)}`)) ?? []].flat())}`,
    );
    said.push(`form of ${count} fields: ${ofErrors([checkFields('a&'.repeat(count - 1)) ?? []].flat())}`);
  }
  for (const count of [998, 999, 1000])
    said.push(`${count} items: ${ofErrors([checkVariables({ list: Array(count).fill(1) }) ?? []].flat())}`);
  for (const extensions of [{}, { code: 'A' }, { code: 'A', limit: 'depth' }, { code: 1, limit: 2 }])
    said.push(
      JSON.stringify(
        toOutcome({
          operation: undefined,
          errors: [new GraphQLError('no', { extensions })],
          unwritten: undefined,
        }),
      ),
    );
  const types = [
    ...[
      'application/json',
      'application/graphql-response+json',
      'application/graphql+json',
      'text/html',
      '*/*',
      '',
    ],
    ...['application/graphql', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/mixed'],
    ...[
      'application/json; charset=utf8',
      'application/json; charset=latin1',
      'application/json, text/html',
      'a',
    ],
    ...['text/event-stream', 'text/event-stream, */*;q=0.1', 'application/*;q=0.5, text/csv', 'text/csv;q=0'],
    ...[
      'application/x-ndjson',
      'application/jsonl',
      'application/csv',
      'application/openmetrics-text',
      'text/plain',
    ],
  ];
  for (const type of types) {
    const understood = [
      chooseResponseType(type),
      readBodyType(type),
      attempt(() => detectForm(undefined, type).name),
      metricsForm(type).contentType,
    ];
    said.push(`${type}: ${understood.join(' · ')}`);
  }
  for (const name of ['ndjson', 'csv', 'json', 'CSV', '']) {
    said.push(`format ${name}: ${attempt(() => detectForm(name, 'text/csv').mediaType)}`);
  }
  said.push(METRICS_RELEASE);
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./recorded/requests.txt');
});

it('secrets are found and served texts stay as recorded', async () => {
  const body = 'a'.repeat(30);
  const said = [
    ...['svc_d_', 'svc_t_', 'svc_i_', 'svc_x_'].flatMap(prefix =>
      ['', '000000', '0RPRbM', 'zzzzzz'].map(end => prefix + body + end),
    ),
    ...[
      'postgres://web:secret@db/x',
      'postgresql://:secret@db',
      'redis://u:p@h',
      'rediss://u:p@h',
      'http://u:p@h',
    ],
    ...['postgres://web@db/x', 'two svc_d_a and svc_t_b'],
  ].map(text => `${text}: ${redact(text)}, ${parseKey(text)?.kind}`);
  for (const [hasPage, url, path] of [[true], [false], [true, 'https://a.example/b', '/b']] as const) {
    const files = servedFiles(hasPage, url, path);
    said.push(`${hasPage} ${url} ${path}: ${[...files.keys()].map(String).join(' ')}`);
    for (const key of files.keys()) {
      if (String(key).includes('openapi')) continue;
      const reply = await files.get(key)!.reply({ method: 'GET', headers: {} } as never);
      // The tag follows from the body.
      const { ETag: _, ...headers } = reply.headers as Record<string, string>;
      said.push(`${String(key)} ${reply.status} ${JSON.stringify(headers)} ${reply.body}`);
    }
  }
  said.push(LLMS);
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./recorded/texts.txt');
});
