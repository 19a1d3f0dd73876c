import { type DocumentedOperation, type FormValues, oneLine, type Question, toCall } from './operation.ts';

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Returns the request as a curl command and in two programming languages.
 * @param base URL of the service, without a trailing slash
 */
export function samples(question: Question, base: string): Record<Language, string> {
  const { target, body } = toCall(question);
  // Encoded, because an apostrophe would end the shell string.
  const root = base.replaceAll("'", '%27');
  const url = root + target;
  return {
    curl: curl(url, body),
    JavaScript:
      'document' in question
        ? graphql(question.document, url)
        : client(question.operation, question.values, root),
    Python: python(url, body),
  };
}

const BEARER = '-H "Authorization: Bearer $SIGHTLINE_KEY"';

function curl(url: string, body: string | undefined): string {
  if (!body) return `curl ${BEARER} \\\n  '${url}'`;
  const data = body.replaceAll("'", "'\\''");
  return `curl ${BEARER} \\\n  -H 'Content-Type: application/json' \\\n  -d '${data}' \\\n  '${url}'`;
}

function python(url: string, body: string | undefined): string {
  const request = [
    `request = urllib.request.Request(${JSON.stringify(url)})`,
    'request.add_header("Authorization", f"Bearer {os.environ[\'SIGHTLINE_KEY\']}")',
  ];
  const sent = body
    ? ['request.add_header("Content-Type", "application/json")', `request.data = b${JSON.stringify(body)}`]
    : [];
  return [
    'import os, urllib.request',
    '',
    ...request,
    ...sent,
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');
}

/** Returns the code of a request with the project's client. */
function client({ path, fields }: DocumentedOperation, values: FormValues, base: string): string {
  const given = fields.filter(({ name }) => values[name] !== undefined);
  const literals = (left: readonly string[]) =>
    object(
      given
        .filter(({ name }) => !left.includes(name))
        .map(({ name, kind }) => [name, literal(kind, values[name]!)] as const),
    );
  return [
    "import { createClient } from '@sightline/client';",
    '',
    `const baseUrl = ${quoted(base)};`,
    'const client = createClient({ baseUrl, key: process.env.SIGHTLINE_KEY });',
    ...(path.startsWith('/export/') ? exported(path, values, literals(OF_STREAMS)) : got(path, literals([]))),
  ].join('\n');
}

function got(path: string, parameters: string): string[] {
  const given = parameters ? `, ${parameters}` : '';
  return [`const answer = await client.get(${quoted(path)}${given});`, 'console.log(answer);'];
}

/** Parameters that the client sets by itself. */
const OF_STREAMS = ['format', 'cursors', 'after', 'limit'];

function exported(path: string, { after, limit }: FormValues, parameters: string): string[] {
  const [from, given] = [quoted(path), parameters || '{}'];
  if (after === undefined) {
    return [`for await (const record of client.export(${from}, ${given})) console.log(record);`];
  }
  const options = object([
    ...(after ? [['after', quoted(after)] as const] : []),
    ...(limit ? [['pageSize', limit] as const] : []),
  ]);
  return [
    `const pages = client.arrivals(${[from, given, options].filter(Boolean).join(', ')});`,
    'for await (const { records, cursor } of pages) console.log(records, cursor);',
  ];
}

function graphql(document: string, url: string): string {
  return [
    `const answer = await fetch(${quoted(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one in the sample
    '    Authorization: `Bearer ${process.env.SIGHTLINE_KEY}`,',
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify({ query: ${quoted(oneLine(document))} }),`,
    '});',
    'console.log(await answer.json());',
  ].join('\n');
}

function literal(kind: DocumentedOperation['fields'][number]['kind'], value: string): string {
  if (kind === 'boolean' && /^(true|false)$/.test(value)) return value;
  if (kind === 'number' && /^-?\d+$/.test(value)) return value;
  return kind === 'list' ? `[${value.split(',').map(quoted).join(', ')}]` : quoted(value);
}

/** Returns an object literal; '' if it has no properties. */
function object(entries: readonly (readonly [string, string])[]): string {
  if (entries.length === 0) return '';
  const text = entries.map(([name, value]) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${value}`);
  return text.join(', ').length < 60 ? `{ ${text.join(', ')} }` : `{\n  ${text.join(',\n  ')},\n}`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
