import type { OpenApiDocument, OperationObject, Parameter, Reference } from '../openapi/types.ts';

interface Sample {
  lang: string;
  label: string;
  source: string;
}

/**
 * The description as `/docs` shows it: with the same request in three languages, and bodies before all else. The headers
 * of answers stand once in the introduction; programs find each in `/openapi.json`.
 * @param baseUrl of the service
 */
export function reference(document: OpenApiDocument, baseUrl: string): object {
  const { paths, components } = document;
  const responses = Object.fromEntries(
    Object.entries(components.responses).map(([name, response]) => [name, withoutHeaders(response)]),
  );
  const operations = Object.entries(paths).map(([path, { get }]) => [
    path,
    { get: { ...get, responses: bare(get), 'x-codeSamples': samples(path, get, baseUrl) } },
  ]);
  return { ...document, paths: Object.fromEntries(operations), components: { ...components, responses } };
}

const bare = ({ responses }: OperationObject) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, withoutHeaders(response)]),
  );

function withoutHeaders(response: object): object {
  return { ...response, headers: undefined };
}

const isInline = (parameter: Parameter | Reference): parameter is Parameter => 'name' in parameter;

/** With the examples of what is required; of a path's own parameters alone. */
function samples(path: string, { parameters }: OperationObject, baseUrl: string): Sample[] {
  const required = parameters.filter(isInline).filter(({ required }) => required);
  const values = Object.fromEntries(required.map(({ name, example }) => [name, String(example)]));
  const query = required.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams(query.map(name => [name, values[name]!])).toString();
  const url = baseUrl + target + (search && `?${search}`);
  return [
    { lang: 'Shell', label: 'curl', source: `curl -H "Authorization: Bearer $SIGHTLINE_KEY" '${url}'` },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScript(path, values, baseUrl) },
    {
      lang: 'Python',
      label: 'Python',
      source: [
        'import os, urllib.request',
        `request = urllib.request.Request("${url}")`,
        'request.add_header("Authorization", f"Bearer {os.environ[\'SIGHTLINE_KEY\']}")',
        'print(urllib.request.urlopen(request).read().decode())',
      ].join('\n'),
    },
  ];
}

function javaScript(path: string, values: Record<string, string>, baseUrl: string): string {
  const isExport = path.startsWith('/export/');
  const given = isExport || Object.keys(values).length > 0 ? `, ${JSON.stringify(values)}` : '';
  const use = isExport
    ? `for await (const record of client.export('${path}'${given})) { /* one at a time */ }`
    : `const answer = await client.get('${path}'${given});`;
  return [
    "import { createClient } from '@sightline/client';",
    `const client = createClient({ baseUrl: '${baseUrl}', key: 'YOUR_KEY' });`,
    use,
  ].join('\n');
}
