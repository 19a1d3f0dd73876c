import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { remembered } from '@sightline/feed';
import type { OpenApiDocument } from '@sightline/openapi';
import {
  type DocumentNode,
  isAbstractType,
  isObjectType,
  isScalarType,
  parse,
  print,
  printSchema,
  Source,
} from 'graphql';
import openApiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { clientAnswers } from '../packages/openapi/src/client-answers.ts';
import { toYaml } from '../packages/openapi/src/yaml.ts';
import { REPORT_TYPES } from '../packages/web/src/app/browser/report-types.ts';
import { graphSchema, restSchema } from '../schema/index.ts';
import type { ScalarSchema } from '../schema/scalars.ts';
import { getDescription } from './description.ts';
import { reportFragments } from './page-fragments.ts';
import { pageTables } from './page-tables.ts';
import { repeatTables } from './repeated-tables.ts';

interface Folder {
  folder: string;
  filename: string;
  documentMode: 'documentNode' | 'string';
  /** Fragments that are generated from the schema. */
  fragments?: string;
  /** How often each document repeats its field `table`. */
  tables?: number;
}

const PERSISTED = 'packages/client/persisted-documents.json';

/** The number of tables in the view that has the most. */
const MOST_TABLES = Math.max(...REPORT_TYPES.map(({ groupings }) => groupings.length));

/** The client package's documents, for any GraphQL client. */
const CLIENT: Folder = {
  folder: 'packages/client/documents/',
  filename: 'packages/client/src/documents.generated.ts',
  documentMode: 'documentNode',
};

/** The tools' documents, which are sent by hash. */
const TOOLS: Folder = {
  folder: 'packages/tools/documents/',
  filename: 'packages/tools/src/documents.generated.ts',
  documentMode: 'string',
};

/** The page's documents, which are sent as text. */
const PAGE: Folder = {
  folder: 'packages/web/src/app/browser/documents/',
  filename: 'packages/web/src/app/browser/documents/documents.generated.ts',
  documentMode: 'string',
  fragments: reportFragments(graphSchema, REPORT_TYPES),
  tables: MOST_TABLES,
};

type At = (path: string) => URL;
type Documents = Parameters<typeof codegen>[0]['documents'];

/**
 * Prints all generated files, by path below the project's folder.
 * @param at resolves such a path
 */
export async function printAll(at: At): Promise<Map<string, string>> {
  const sdl = `${printSchema(graphSchema)}\n`;
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8')) as { version: string };
  const client = await typedDocuments(at, sdl, CLIENT);
  const tools = await typedDocuments(at, sdl, TOOLS);
  const page = await typedDocuments(at, sdl, PAGE);
  return new Map([
    ['schema/schema.graphql', sdl],
    ['schema/rest.graphql', `${printSchema(restSchema)}\n`],
    ...(await printDescription(version)),
    ['packages/client/possible-types.json', `${JSON.stringify(possibleTypes(), null, 2)}\n`],
    ['packages/client/keyless-types.json', `${JSON.stringify(keylessTypes(), null, 2)}\n`],
    ['packages/web/src/app/browser/tables.generated.ts', pageTables(MOST_TABLES)],
    [PERSISTED, `${JSON.stringify(byHash(listNodes(client)), null, 2)}\n`],
    ['src/graphql/trusted-documents.generated.ts', trustedDocuments(client, tools, page)],
    [CLIENT.filename, hashNodes(client)],
    [TOOLS.filename, hashTexts(tools)],
    [PAGE.filename, page],
  ]);
}

/** Prints the files that depend only on the description, once for each version, since that takes most of the time. */
const printDescription = remembered(async (version): Promise<[path: string, text: string][]> => {
  const description = getDescription(version);
  return [
    ['openapi.yaml', toYaml(description)],
    ['packages/client/src/openapi.generated.ts', await clientTypes(description)],
    ['packages/client/src/answers.generated.ts', clientMocks(description)],
  ];
});

/** Prints the trusted documents by the SHA-256 of their texts: those of the client package, the tools and the page. */
function trustedDocuments(client: string, tools: string, page: string): string {
  const print = (name: string, documents: Record<string, string>) =>
    `export const ${name}: Readonly<Record<string, string>> = ${JSON.stringify(documents, null, 2)};\n`;
  return [
    '// Printed by `npm run codegen` from documents of the page, the client and the tools. Changes here are overwritten.',
    '/** The documents of the page by the SHA-256 of their texts, in hexadecimal. */',
    print('PAGE_DOCUMENTS', byHash(listTexts(page))),
    '/** The documents of the client package and of the tools. */',
    print('CLIENT_DOCUMENTS', byHash([...listNodes(client), ...listTexts(tools)])),
  ].join('\n');
}

const toHash = (text: string) => createHash('sha256').update(text).digest('hex');

const byHash = (texts: readonly string[]) =>
  Object.fromEntries([...texts].sort().map(text => [toHash(text), text]));

const NODE = /^(export const \w+Document = )(\{.*\})(?= as unknown as DocumentNode)/gm;
const TEXT = /^(export const \w+Document = new TypedDocumentString\(`)([\s\S]*?)`\)/gm;

const printNode = (node: string) => print(JSON.parse(node) as DocumentNode);

/** Lists the texts of operations in a module of document nodes, printed as `print` of `graphql` does for a request. */
const listNodes = (module: string) => [...module.matchAll(NODE)].map(([, , node]) => printNode(node!));

/** Lists the texts of operations in a module of strings. */
const listTexts = (module: string) => [...module.matchAll(TEXT)].map(([, , text]) => text!);

/** Adds the hash of each operation as `__meta__`, as the client preset of GraphQL Code Generator does. */
const hashNodes = (module: string) =>
  module.replace(NODE, (_, start, node: string) => {
    const meta = `"__meta__":{"hash":"${toHash(printNode(node))}"}`;
    return `${start}${node.replace('{', `{${meta},`)}`;
  });

const hashTexts = (module: string) =>
  module.replace(TEXT, (_, start, text: string) => `${start}${text}\`, {"hash":"${toHash(text)}"})`);

const FROM_DESCRIPTION = '// Printed by `npm run codegen` from openapi.yaml. Changes here are overwritten.';

async function clientTypes(description: OpenApiDocument): Promise<string> {
  const types = await openApiTypes(description as unknown as OpenAPI3, { silent: true });
  return `${FROM_DESCRIPTION}\n${astToString(types)}`;
}

function clientMocks(description: OpenApiDocument): string {
  const parts = Object.entries(clientAnswers(description));
  return [
    FROM_DESCRIPTION,
    ...parts.map(([name, part]) => `export const ${name} = ${JSON.stringify(part, null, 1)};\n`),
  ].join('\n');
}

async function typedDocuments(
  at: At,
  sdl: string,
  { folder, filename, documentMode, fragments, tables }: Folder,
): Promise<string> {
  const content = await codegen({
    filename,
    schema: parse(sdl),
    documents: [
      ...(await documents(at, folder, tables)),
      ...(fragments ? [{ location: filename, document: parse(fragments) }] : []),
    ],
    config: {
      documentMode,
      enumType: 'string-literal',
      strictScalars: true,
      scalars: scalarTypes(),
      useTypeImports: true,
    },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  });
  return `// Printed by \`npm run codegen\` from ${folder}*.graphql. Changes here are overwritten.\n${content}`;
}

const objectTypes = () => Object.values(graphSchema.getTypeMap()).filter(isObjectType);

/** The possible types of each interface and union, in the format of Apollo's cache. */
function possibleTypes(): Record<string, string[]> {
  const abstract = Object.values(graphSchema.getTypeMap()).filter(isAbstractType);
  return Object.fromEntries(
    abstract
      .filter(({ name }) => !name.startsWith('__'))
      .map(type => [type.name, graphSchema.getPossibleTypes(type).map(({ name }) => name)]),
  );
}

/** The types without an id. A cache stores such objects within their parent. */
function keylessTypes(): string[] {
  const isRoot = (name: string) => name === graphSchema.getQueryType()!.name;
  return objectTypes()
    .filter(type => !type.name.startsWith('__') && !isRoot(type.name) && !('id' in type.getFields()))
    .map(({ name }) => name);
}

async function documents(at: At, folder: string, tables?: number): Promise<Documents> {
  const names = (await readdir(at(folder))).filter(name => name.endsWith('.graphql')).sort();
  return Promise.all(
    names.map(async name => {
      const location = folder + name;
      const document = parse(new Source(await readFile(at(location), 'utf8'), location));
      return { location, document: tables ? repeatTables(document, tables) : document };
    }),
  );
}

/** The TypeScript type of each scalar's JSON value. */
function scalarTypes(): Record<string, string> {
  const types: Record<string, string> = {
    string: 'string',
    integer: 'number',
    object: 'Record<string, number>',
  };
  const scalars = Object.values(graphSchema.getTypeMap()).filter(isScalarType);
  return Object.fromEntries(
    scalars
      .map(({ name, extensions }) => [name, extensions.openapi as ScalarSchema | undefined] as const)
      .filter(([, openapi]) => openapi)
      .map(([name, openapi]) => [name, types[String(openapi?.type)] ?? 'unknown']),
  );
}
