import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import type { OpenApiDocument } from '@sightline/openapi';
import { clientAnswers } from '@sightline/openapi/client-answers';
import { toYaml } from '@sightline/openapi/yaml';
import { REPORT_TYPES } from '@sightline/pages/app/report-types';
import { isAbstractType, isObjectType, isScalarType, parse, print, printSchema, Source } from 'graphql';
import openApiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { graphSchema, restSchema } from '../schema/index.ts';
import type { ScalarSchema } from '../schema/scalars.ts';
import { descriptionOf } from './description.ts';
import { reportFragments } from './page-fragments.ts';
import { pageTables } from './page-tables.ts';
import { repeatTables } from './repeated-tables.ts';

interface Folder {
  folder: string;
  filename: string;
  documentMode: 'documentNode' | 'string';
  /** Fragments that no file has, since they follow from the schema. */
  fragments?: string;
  /** Each document repeats its field `table` so often. */
  tables?: number;
}

const PERSISTED = 'packages/client/persisted-documents.json';

/** The tables of the view that has most. */
const MOST_TABLES = Math.max(...REPORT_TYPES.map(({ groupings }) => groupings.length));

/** Folders of documents: those that the client brings, first, and those of the page, which sends them as text. */
const CLIENT_DOCUMENTS = 'packages/client/documents/';
const FOLDERS: readonly Folder[] = [
  {
    folder: CLIENT_DOCUMENTS,
    filename: 'packages/client/src/documents.generated.ts',
    documentMode: 'documentNode',
  },
  {
    folder: 'packages/pages/src/app/browser/documents/',
    filename: 'packages/pages/src/app/browser/documents/documents.generated.ts',
    documentMode: 'string',
    fragments: reportFragments(graphSchema, REPORT_TYPES),
    tables: MOST_TABLES,
  },
];

type At = (path: string) => URL;
type Documents = Parameters<typeof codegen>[0]['documents'];

/** Every printed file, by its path below the project's folder. @param at where a path below that folder is */
export async function printAll(at: At): Promise<Map<string, string>> {
  const sdl = `${printSchema(graphSchema)}\n`;
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8')) as { version: string };
  const description = descriptionOf(version);
  const typed = await Promise.all(FOLDERS.map(folder => typedDocuments(at, sdl, folder)));
  return new Map([
    ['schema/schema.graphql', sdl],
    ['schema/rest.graphql', `${printSchema(restSchema)}\n`],
    ['openapi.yaml', toYaml(description)],
    ['packages/client/src/openapi.generated.ts', await clientTypes(description)],
    ['packages/client/src/answers.generated.ts', clientMocks(description)],
    ['packages/client/possible-types.json', `${JSON.stringify(possibleTypes(), null, 2)}\n`],
    ['packages/client/keyless-types.json', `${JSON.stringify(keylessTypes(), null, 2)}\n`],
    ['packages/pages/src/app/browser/tables.generated.ts', pageTables(MOST_TABLES)],
    [PERSISTED, persistedDocuments(typed[0]![1])],
    ...typed,
  ]);
}

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
): Promise<[path: string, text: string]> {
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
  const text = `// Printed by \`npm run codegen\` from ${folder}*.graphql. Changes here are overwritten.\n${content}`;
  return [filename, text];
}

/** The documents of a module of typed ones, as `graphql` prints them for a request, each by the SHA-256 of its text. */
function persistedDocuments(module: string): string {
  const nodes = [...module.matchAll(/^export const \w+Document = (\{.*\}) as unknown as DocumentNode/gm)];
  const texts = nodes.map(([, node]) => print(JSON.parse(node!))).sort();
  const byDigest = texts.map(text => [createHash('sha256').update(text).digest('hex'), text]);
  return `${JSON.stringify(Object.fromEntries(byDigest), null, 2)}\n`;
}

const objectTypes = () => Object.values(graphSchema.getTypeMap()).filter(isObjectType);

/** The types of each interface and union, as Apollo's cache wants to be told. */
function possibleTypes(): Record<string, string[]> {
  const abstract = Object.values(graphSchema.getTypeMap()).filter(isAbstractType);
  return Object.fromEntries(
    abstract
      .filter(({ name }) => !name.startsWith('__'))
      .map(type => [type.name, graphSchema.getPossibleTypes(type).map(({ name }) => name)]),
  );
}

/** The types whose objects have no id: a cache keeps them as parts of what they belong to. */
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

/** The TypeScript type of a scalar, from its values in JSON. */
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
