import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { concatAST, isScalarType, parse, print, printSchema, Source, separateOperations } from 'graphql';
import openApiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { graphSchema, restSchema } from '../schema/index.ts';
import type { ScalarSchema } from '../schema/scalars.ts';
import { REPORT_TYPES } from '../src/app-page/browser/report-types.ts';
import { reportFragments } from '../src/app-page/fragments.ts';
import { clientAnswers } from '../src/openapi/client-answers.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import type { OpenApiDocument } from '../src/openapi/types.ts';
import { toYaml } from '../src/openapi/yaml.ts';

interface Folder {
  folder: string;
  filename: string;
  documentMode: 'documentNode' | 'string';
  /** Fragments that no file has, since they follow from the schema. */
  fragments?: string;
}

/** Folders of documents: those that the client brings, and those of the page, which sends them as text. */
const CLIENT_DOCUMENTS = 'packages/client/documents/';
const FOLDERS: readonly Folder[] = [
  {
    folder: CLIENT_DOCUMENTS,
    filename: 'packages/client/src/documents.generated.ts',
    documentMode: 'documentNode',
  },
  {
    folder: 'src/app-page/browser/documents/',
    filename: 'src/app-page/browser/documents/documents.generated.ts',
    documentMode: 'string',
    fragments: reportFragments(graphSchema, REPORT_TYPES),
  },
];

type At = (path: string) => URL;
type Documents = Parameters<typeof codegen>[0]['documents'];

/** Every printed file, by its path below the project's folder. @param at where a path below that folder is */
export async function printAll(at: At): Promise<Map<string, string>> {
  const sdl = `${printSchema(graphSchema)}\n`;
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8')) as { version: string };
  const description = openApiDocument(restSchema, version);
  return new Map([
    ['schema/schema.graphql', sdl],
    ['schema/rest.graphql', `${printSchema(restSchema)}\n`],
    ['openapi.yaml', toYaml(description)],
    ['packages/client/src/openapi.generated.ts', await clientTypes(description)],
    ['packages/client/src/answers.generated.ts', clientMocks(description)],
    ['packages/client/persisted-documents.json', await persistedDocuments(at)],
    ...(await Promise.all(FOLDERS.map(folder => typedDocuments(at, sdl, folder)))),
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
  { folder, filename, documentMode, fragments }: Folder,
): Promise<[path: string, text: string]> {
  const content = await codegen({
    filename,
    schema: parse(sdl),
    documents: [
      ...(await documents(at, folder)),
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

/** The client's operations with the fragments that they use, each by the SHA-256 of its text. */
async function persistedDocuments(at: At): Promise<string> {
  const parts = (await documents(at, CLIENT_DOCUMENTS)).map(({ document }) => document!);
  const texts = Object.values(separateOperations(concatAST(parts)))
    .map(print)
    .sort();
  const byDigest = texts.map(text => [createHash('sha256').update(text).digest('hex'), text]);
  return `${JSON.stringify(Object.fromEntries(byDigest), null, 2)}\n`;
}

async function documents(at: At, folder: string): Promise<Documents> {
  const names = (await readdir(at(folder))).filter(name => name.endsWith('.graphql')).sort();
  return Promise.all(
    names.map(async name => {
      const location = folder + name;
      return { location, document: parse(new Source(await readFile(at(location), 'utf8'), location)) };
    }),
  );
}

/** What a scalar is in TypeScript, from what its values are in JSON. */
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
