import type { Call } from './generated-calls.ts';

/** A generator of clients, and how its clients are used. */
export interface Generator {
  name: string;
  /** The program and its arguments, run in the folder of `openapi.json`. Its output goes to `NAME/`. */
  command: readonly [program: string, ...args: string[]];
  /** Its configuration files, by name. */
  config?: Readonly<Record<string, string>>;
  imports: string;
  /** The type of a field that is empty or one of two words. */
  action: string;
  /** Statements that connect to `url` with `key`. */
  connect: string;
  /** Statements that return the status and body of `answer`, the result of a call. */
  read(call: Call): string;
  /** NDJSON, or JSON if the client supports nothing else. */
  exportsAs: 'ndjson' | 'json';
  /** The expression of a call. */
  print(call: Call): string;
}

const print = (value: unknown) => JSON.stringify(value);

/** An object of the members that are not empty. */
function printPresent(members: Readonly<Record<string, object>>): string {
  return print(
    Object.fromEntries(Object.entries(members).filter(([, { ...own }]) => Object.keys(own).length > 0)),
  );
}

/** The query for clients that read exports as JSON. */
const jsonQuery = ({ inQuery, isExport }: Call) => (isExport ? { ...inQuery, format: 'json' } : inQuery);

const openapiFetch: Generator = {
  name: 'openapi-fetch',
  command: ['openapi-typescript', 'openapi.json', '-o', 'openapi-fetch/types.ts'],
  imports: `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-fetch/types.ts';`,
  action: `components['schemas']['CspReport']['action']`,
  connect: `const client = createClient<paths>({ baseUrl: url, headers: { authorization: 'Bearer ' + key } });`,
  read: () =>
    `const { data, error, response } = await answer; return { status: response.status, body: data ?? error };`,
  exportsAs: 'ndjson',
  print({ path, inPath, inQuery, isExport }) {
    const params = printPresent({ path: inPath, query: inQuery });
    return `client.GET(${print(path)}, { params: ${params}${isExport ? `, parseAs: 'text'` : ''} })`;
  },
};

const heyApi: Generator = {
  name: 'hey-api',
  command: ['openapi-ts', '-f', 'hey-api.config.mjs'],
  config: {
    'hey-api.config.mjs': `export default ${print({
      input: './openapi.json',
      output: './hey-api',
      plugins: [
        '@hey-api/client-fetch',
        '@hey-api/typescript',
        '@hey-api/sdk',
        // Otherwise, hey-api only accepts times that end in Z.
        { name: 'zod', dates: { offset: true } },
      ],
    })}`,
  },
  imports: `import { createClient } from './hey-api/client/index.ts';
import * as sdk from './hey-api/sdk.gen.ts';
import type { CspReport } from './hey-api/types.gen.ts';`,
  action: `CspReport['action']`,
  connect: `const client = createClient({ baseUrl: url, auth: key });`,
  read: () =>
    `const { data, error, response } = await answer; return { status: response?.status, body: data ?? error };`,
  exportsAs: 'ndjson',
  print({ operationId, inPath, inQuery, isExport }) {
    const given = printPresent({ path: inPath, query: inQuery });
    return `sdk.${operationId}({ client, ...${given}${isExport ? `, parseAs: 'text'` : ''} })`;
  },
};

/** Paths in its configuration are relative to the configuration file. */
const orvalOutput = (client: string, file: string) => ({
  input: './openapi.json',
  output: { target: `./orval/${file}`, client, baseUrl: { getBaseUrlFromSpecification: true } },
});

const orval: Generator = {
  name: 'orval',
  command: ['orval', '--config', 'orval.config.mjs'],
  config: {
    'orval.config.mjs': `export default ${print({
      fetch: orvalOutput('fetch', 'client.ts'),
      zod: orvalOutput('zod', 'zod.ts'),
    })}`,
  },
  imports: `import * as orval from './orval/client.ts';`,
  action: `orval.CspReport['action']`,
  connect: `const options = { headers: { authorization: 'Bearer ' + key } };`,
  read: ({ isExport }) =>
    isExport
      ? // Its types have no stream.
        `const { status, stream } = (await answer) as unknown as { status: number; stream: Response };
return { status, body: await stream.text() };`
      : `const { status, data } = await answer; return { status, body: data };`,
  exportsAs: 'ndjson',
  print({ operationId, inPath, inQuery, takesQuery }) {
    const given = [...Object.values(inPath), ...(takesQuery ? [inQuery] : [])].map(print);
    return `orval.${operationId}(${[...given, 'options'].join(', ')})`;
  },
};

const swaggerTypescriptApi: Generator = {
  name: 'swagger-typescript-api',
  command: [
    'swagger-typescript-api',
    'generate',
    ...['--path', 'openapi.json', '--output', 'swagger-typescript-api', '--name', 'api.ts', '--silent'],
    ...['--extract-request-params', '--disable-throw-on-error', '--enum-style=union'],
  ],
  imports: `import { Api, type CspReport } from './swagger-typescript-api/api.ts';`,
  action: `CspReport['action']`,
  connect: `const securityWorker = () => ({ headers: { authorization: 'Bearer ' + key } });
const client = new Api({ baseUrl: url, securityWorker });`,
  read: () => `const { status, data, error } = await answer; return { status, body: data ?? error };`,
  exportsAs: 'ndjson',
  print({ operationId, path, inPath, inQuery, takesQuery, isExport }) {
    const takesArguments = takesQuery || Object.keys(inPath).length > 0;
    const given = takesArguments ? [print({ ...inPath, ...inQuery })] : [];
    const options = isExport ? [`{ format: 'text' }`] : [];
    return `client.${path.split('/')[1]}.${operationId}(${[...given, ...options].join(', ')})`;
  },
};

const oazapfts: Generator = {
  name: 'oazapfts',
  command: ['oazapfts', 'openapi.json', 'oazapfts/client.ts', '--argumentStyle=object'],
  imports: `import * as oazapfts from './oazapfts/client.ts';`,
  action: `oazapfts.CspReport['action']`,
  connect: `const options = { baseUrl: url, headers: { authorization: 'Bearer ' + key } };`,
  read: () =>
    `const given = await answer; return { status: given.status, body: 'data' in given ? given.data : undefined };`,
  exportsAs: 'json',
  print(call) {
    const given = print({ ...call.inPath, ...jsonQuery(call) });
    // Reserved words get a dollar sign.
    return `oazapfts.${call.operationId}(${given.replace('"type":', '$type:')}, options)`;
  },
};

const typedOpenapi: Generator = {
  name: 'typed-openapi',
  command: ['typed-openapi', 'openapi.json', '-o', 'typed-openapi/client.ts'],
  imports: `import { createApiClient, type Schemas } from './typed-openapi/client.ts';`,
  action: `Schemas.CspReport['action']`,
  // This client leaves sending requests and reading responses to the caller.
  connect: `const headers = { authorization: 'Bearer ' + key };
const client = createApiClient({
  fetch: ({ url, urlSearchParams = '' }) => fetch(url + (urlSearchParams && '?' + urlSearchParams), { headers }),
  parseResponseData: answer => (answer.headers.get('content-type')?.includes('ndjson') ? answer.text() : answer.json()),
}, url);`,
  read: () => `const { status, data } = await answer; return { status, body: data };`,
  exportsAs: 'ndjson',
  print({ path, inPath, inQuery, takesQuery, isExport }) {
    const given = { path: inPath, ...(takesQuery && { query: inQuery }), ...(!isExport && { header: {} }) };
    return `client.get(${print(path)}, { ...${print(given)}, withResponse: true })`;
  },
};

const openapiClientAxios: Generator = {
  name: 'openapi-client-axios',
  command: ['typegen', 'openapi.json'],
  imports: `import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Client, Components } from './openapi-client-axios/client.d.ts';`,
  action: `Components.Schemas.CspReport['action']`,
  connect: `const api = new OpenAPIClientAxios({
  definition: url + '/openapi.json',
  axiosConfigDefaults: {
    baseURL: url,
    headers: { authorization: 'Bearer ' + key },
    validateStatus: () => true,
    // By default axios sends \`hostnames[]=\`, which is a different parameter.
    paramsSerializer: { indexes: null },
  },
});
const client = await api.getClient<Client>();`,
  read: () => `const { status, data } = await answer; return { status, body: data };`,
  exportsAs: 'json',
  print(call) {
    return `client.${call.operationId}(${print({ ...call.inPath, ...jsonQuery(call) })})`;
  },
};

const kubb: Generator = {
  name: 'kubb',
  command: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
  config: {
    'kubb.config.mjs': `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './kubb', format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs(),
    pluginClient({ client: 'fetch', paramsType: 'object', dataReturnType: 'full' }),
  ],
});`,
  },
  imports: `import * as kubb from './kubb/index.ts';`,
  action: `kubb.CspReport['action']`,
  connect: `const options = { baseURL: url, headers: { authorization: 'Bearer ' + key } };`,
  read: () => `const { status, data } = await answer; return { status, body: data };`,
  exportsAs: 'json',
  print(call) {
    const params = call.takesQuery ? { params: jsonQuery(call) } : {};
    return `kubb.${call.operationId}(${print({ ...call.inPath, ...params })}, options)`;
  },
};

const openapiTypescriptCodegen: Generator = {
  name: 'openapi-typescript-codegen',
  command: [
    'openapi',
    '--input',
    'openapi.json',
    '--output',
    'openapi-typescript-codegen',
    '--useOptions',
    '--useUnionTypes',
  ],
  imports: `import * as codegen from './openapi-typescript-codegen/index.ts';`,
  action: `codegen.CspReport['action']`,
  connect: `codegen.OpenAPI.BASE = url;
codegen.OpenAPI.TOKEN = key;`,
  // This client returns only bodies.
  read: () => `try { return { status: 200, body: await answer }; } catch (error) {
  if (!(error instanceof codegen.ApiError)) throw error;
  return { status: error.status, body: error.body as unknown };
}`,
  exportsAs: 'json',
  print(call) {
    const service = call.tag.replace(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase());
    return `codegen.${service}Service.${call.operationId}(${print({ ...call.inPath, ...jsonQuery(call) })})`;
  },
};

export const GENERATORS: readonly Generator[] = [
  openapiFetch,
  heyApi,
  orval,
  swaggerTypescriptApi,
  oazapfts,
  typedOpenapi,
  openapiClientAxios,
  kubb,
  openapiTypescriptCodegen,
];

/** A module with `connect(url, key)`, which returns the calls by name. It compiles only if `action` has every value. */
export function printModule(
  { imports, action, connect, read, print: printCall }: Generator,
  calls: readonly Call[],
): string {
  const printed = calls.map(
    call => `${print(call.name)}: async () => {\n  const answer = ${printCall(call)};\n  ${read(call)}\n},`,
  );
  return `${imports}

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
export const hasEveryValue: Same<${action}, 'enforced' | 'reportOnly' | ''> = true;

export async function connect(url: string, key: string) {
${connect}
return {
${printed.join('\n')}
};
}
`;
}
