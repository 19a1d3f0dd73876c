import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codegen } from '../scripts/codegen.ts';
import { toOutcome } from './support/sightline.ts';

/** A separate project for the output: generated folders are copied, and everything else is linked. */
const folder = mkdtempSync(join(tmpdir(), 'sightline codegen '));
const at = (path: string) => join(folder, path);

beforeAll(() => {
  for (const path of ['codegen.ts', 'openapi.yaml', 'package.json', 'packages', 'schema', 'src/graphql'])
    cpSync(path, at(path), { recursive: true });
  for (const path of ['node_modules', 'scripts']) symlinkSync(resolve(path), at(path), 'dir');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs in this process, which has already loaded most modules. */
const runHere = (...args: string[]) => toOutcome(() => codegen(args, pathToFileURL(at('/'))));

describe('npm run codegen', () => {
  test('with --check, names outdated files, writes nothing and fails', async () => {
    appendFileSync(at('openapi.yaml'), '# by hand\n');
    const { code, stderr } = await runHere('--check');
    expect(stderr).toBe('Not what the schema says: openapi.yaml. Run "npm run codegen".\n');
    expect(code).toBe(1);
    expect(readFileSync(at('openapi.yaml'), 'utf8')).toMatch(/# by hand\n$/);
  });

  test('writes only outdated files, and only below its own folder', async () => {
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
