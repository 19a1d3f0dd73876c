import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filledPath } from '@sightline/openapi/description';
import { type ExecutableDefinitionNode, type GraphQLObjectType, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientAnswers } from '../packages/openapi/src/client-answers.ts';
import { TABLES } from '../packages/web/src/app/browser/tables.generated.ts';
import { restSchema } from '../schema/index.ts';
import { codegen } from '../scripts/codegen.ts';
import { getDescription } from '../scripts/description.ts';
import { repeatTables } from '../scripts/repeated-tables.ts';
import { toOutcome } from './support/sightline.ts';

/** A separate project for the output: folders with generated files are copied, and everything else is linked. */
const folder = mkdtempSync(join(tmpdir(), 'sightline codegen '));
const at = (path: string) => join(folder, path);

beforeAll(() => {
  const packages = ['client', 'tools', 'web'].map(name => `packages/${name}`);
  for (const path of ['codegen.ts', 'openapi.yaml', 'package.json', 'schema', 'src/graphql', ...packages])
    cpSync(path, at(path), { recursive: true });
  for (const path of ['node_modules', 'scripts']) symlinkSync(resolve(path), at(path), 'dir');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs in this process, which has already loaded most modules. */
const runHere = (...args: string[]) => toOutcome(() => codegen(args, pathToFileURL(at('/'))));

describe('npm run codegen', () => {
  test('with --check, names outdated files, writes nothing and fails', { tags: 'slow' }, async () => {
    appendFileSync(at('openapi.yaml'), '# by hand\n');
    const { code, stderr } = await runHere('--check');
    expect(stderr).toBe('Not what the schema says: openapi.yaml. Run "npm run codegen".\n');
    expect(code).toBe(1);
    expect(readFileSync(at('openapi.yaml'), 'utf8')).toMatch(/# by hand\n$/);
  });

  test('writes only outdated files, and only below its own folder', { tags: 'slow' }, async () => {
    const printed = 'packages/web/src/app/browser/documents/documents.generated.ts';
    const committed = readFileSync(printed, 'utf8');
    appendFileSync(at('packages/web/src/app/browser/documents/Setup.graphql'), 'query New { __typename }');
    const { code, stdout } = await runHere();
    expect([code, stdout]).toEqual([
      0,
      `Printed openapi.yaml, src/graphql/trusted-documents.generated.ts, ${printed}\n`,
    ]);
    expect(readFileSync(at('openapi.yaml'), 'utf8')).toBe(readFileSync('openapi.yaml', 'utf8'));
    expect(readFileSync(at(printed), 'utf8')).not.toBe(committed);
    expect(readFileSync(printed, 'utf8')).toBe(committed);
  });

  test('rejects an unknown option', async () => {
    const { code, stderr } = await runHere('--chek');
    expect(code).toBe(2);
    expect(stderr).toContain('--check  writes nothing');
  });
});

describe('a description of the service', () => {
  const field = (type: string, name: string) =>
    (restSchema.getType(type) as GraphQLObjectType).getFields()[name]!;
  const route = (name: string) => field('Query', name).extensions.rest as object;
  /** The error of a description while these values of an object are replaced. */
  function describeWith(object: object, values: Record<string, unknown>): string {
    const before = Object.fromEntries(Object.keys(values).map(name => [name, Reflect.get(object, name)]));
    Object.assign(object, values);
    try {
      return Object.keys(getDescription('1.0.0').paths).length > 30 ? 'complete' : 'incomplete';
    } catch (error) {
      return (error as Error).message;
    } finally {
      Object.assign(object, before);
    }
  }

  test('is refused if a part of it is missing', () => {
    const [limit] = field('Query', 'auditLog').args;
    const routes = Object.values(restSchema.getQueryType()!.getFields()).map(({ name }) => route(name));
    const withPath = routes.find(each => 'example' in each)!;
    const refused = [
      describeWith({}, {}),
      describeWith(field('Query', 'auditLog'), { description: undefined }),
      describeWith(field('Query', 'auditLog'), { extensions: {} }),
      describeWith(field('AuditEvent', 'message'), { description: '' }),
      describeWith(restSchema.getType('AuditEvent')!, { description: null }),
      describeWith(limit!, { description: undefined }),
      describeWith(limit!, { name: 'most' }),
      describeWith(route('auditLog'), { tag: 'Elsewhere' }),
      describeWith(withPath, { example: {} }),
      describeWith(field('AuditEvent', 'message'), { name: 'other' }),
    ];
    expect(refused).toMatchInlineSnapshot(`
      [
        "complete",
        "Query.auditLog has no description",
        "Query.auditLog belongs to the REST schema and has no route",
        "AuditEvent.message has no description",
        "AuditEvent has no description",
        "The argument limit has no description",
        "The parameter most has no example in packages/openapi/src/examples.ts",
        "The tag Elsewhere has no description in packages/openapi/src/about.ts",
        "The route /graphs/:type/:unit/:amount has no example of its parameter type",
        "AuditEvent.other has no example: packages/openapi/src/examples.ts gathers them",
      ]
    `);
  });
});

test.each([
  ['packages/web/src/app/browser/documents', 'documents.generated.ts'],
  ['packages/tools/documents', '../src/documents.generated.ts'],
])('the documents of %s are sent as they are written', async (from, generated) => {
  const listDefinitions = (text: string) =>
    repeatTables(parse(text), TABLES.length).definitions.map(definition => {
      const { value } = (definition as ExecutableDefinitionNode).name!;
      return [value, print(definition)] as const;
    });
  const names = readdirSync(from).filter(name => name.endsWith('.graphql'));
  const written = names.flatMap(name => listDefinitions(readFileSync(join(from, name), 'utf8')));
  const exports: object = await import(String(pathToFileURL(join(from, generated))));
  const sent = Object.entries(exports).flatMap(([name, value]) =>
    name.endsWith('Document') ? listDefinitions(String(value)) : [],
  );
  expect(written.length).toBeGreaterThan(10);
  // Some fragments are generated from the schema.
  expect(Object.fromEntries(sent)).toMatchObject(Object.fromEntries(written));
});

test('a path is filled with encoded values, and nothing where there is none', () => {
  expect(filledPath('/a/:b/:c(d|e)/:f', { b: 'x/y z', c: 'd' })).toBe('/a/x%2Fy%20z/d/');
});

test('the answers for the mocks of the client are the examples by path and status', () => {
  const answers = clientAnswers(getDescription('1.0.0'));
  const { 200: quota, 304: unchanged, 401: unauthorized } = answers.paths['/v1/quota']!;
  expect([quota, unchanged, unauthorized]).toEqual(['getQuota200', 'NotModified', 'Unauthorized']);
  expect(answers.responses.getQuota200).toMatchInlineSnapshot(`
    {
      "bodies": {
        "Quota": {
          "limit": 1000000,
          "used": 129625,
        },
      },
      "headers": {
        "Cache-Control": "private, no-cache",
        "ETag": "W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"",
        "RateLimit": ""default";r=118;t=42",
        "RateLimit-Policy": ""default";q=120;w=60",
        "Vary": "Authorization, Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
        "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
      },
    }
  `);
  expect(answers.responses.NotModified!.bodies).toEqual({});
  expect(answers.responses.Unauthorized!.bodies).toEqual({ example: { error: 'Unauthorized' } });
  expect(Object.keys(answers.responses.getMe200!.bodies)).toEqual(['PersonalAccount', 'TeamAccount']);
});
