import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { BUILT, type PageName } from '../../src/pages/files.ts';

/** A file or folder of the compiled service, by its path in the installed package. */
export function builtAt(...path: string[]): string {
  return join(inject('compiled'), ...path);
}

/** The folder of the compiled page, which is bundled once and shared by all test processes. */
export function builtPage(name: PageName): string {
  return builtAt('dist/src/pages', BUILT, name);
}

/** The files in that folder. */
export function builtFiles(page: PageName): { name: string; content: Buffer }[] {
  const folder = builtPage(page);
  return readdirSync(folder).map(name => ({ name, content: readFileSync(join(folder, name)) }));
}
