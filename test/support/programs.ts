import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Checks whether a program is installed, without starting it, which takes longer. */
export function hasProgram(name: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some(folder => isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
