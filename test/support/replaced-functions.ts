import { createRequire, syncBuiltinESMExports } from 'node:module';

interface Modules {
  'node:child_process': typeof import('node:child_process');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:timers/promises': typeof import('node:timers/promises');
}

const require = createRequire(import.meta.url);

/**
 * Replaces a function of a Node module at run time, because other test files have already imported the code under test.
 * @returns a function that restores the one before
 */
export function replaceFunction<Module extends keyof Modules, Name extends keyof Modules[Module]>(
  module: Module,
  name: Name,
  replacement: Modules[Module][Name],
): () => void {
  const functions: Modules[Module] = require(module);
  const before = functions[name];
  const set = (value: Modules[Module][Name]) => {
    functions[name] = value;
    syncBuiltinESMExports();
  };
  set(replacement);
  return () => set(before);
}
