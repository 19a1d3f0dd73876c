import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codegen } from '../scripts/codegen.ts';
import { outcomeOf } from './support/sightline.ts';

/** A project of its own to print into: the folders of what is printed are copied, everything else is the same. */
const folder = mkdtempSync(join(tmpdir(), 'sightline codegen '));
const at = (path: string) => join(folder, path);

beforeAll(() => {
  for (const path of ['codegen.ts', 'openapi.yaml', 'package.json', 'packages', 'schema'])
    cpSync(path, at(path), { recursive: true });
  for (const path of ['node_modules', 'scripts']) symlinkSync(resolve(path), at(path), 'dir');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Within this process, which has loaded most of what it takes. */
const runHere = (...args: string[]) => outcomeOf(() => codegen(args, pathToFileURL(at('/'))));

describe('npm run codegen', () => {
  test('with --check, names what differs, writes nothing and fails', async () => {
    appendFileSync(at('openapi.yaml'), '# by hand\n');
    const { code, stderr } = await runHere('--check');
    expect(stderr).toBe('Not what the schema says: openapi.yaml. Run "npm run codegen".\n');
    expect(code).toBe(1);
    expect(readFileSync(at('openapi.yaml'), 'utf8')).toMatch(/# by hand\n$/);
  });

  test('prints what differs, as it is committed, and below its folder alone', async () => {
    const printed = 'packages/pages/src/app/browser/documents/documents.generated.ts';
    const committed = readFileSync(printed, 'utf8');
    appendFileSync(at('packages/pages/src/app/browser/documents/Setup.graphql'), 'query New { __typename }');
    const { code, stdout } = await runHere();
    expect([code, stdout]).toEqual([0, `Printed openapi.yaml, ${printed}\n`]);
    expect(readFileSync(at('openapi.yaml'), 'utf8')).toBe(readFileSync('openapi.yaml', 'utf8'));
    expect(readFileSync(at(printed), 'utf8')).not.toBe(committed);
    expect(readFileSync(printed, 'utf8')).toBe(committed);
  });

  test('refuses an option that it does not know', async () => {
    const { code, stderr } = await runHere('--chek');
    expect(code).toBe(2);
    expect(stderr).toContain('--check  writes nothing');
  });
});
