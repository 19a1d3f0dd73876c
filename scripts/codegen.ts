import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const USAGE = `Prints the schema: what the outside sees of it is committed, and compared.

  npm run codegen             writes the SDL of both schemas, openapi.yaml, the client's types and the typed documents
  npm run codegen -- --check  writes nothing, and fails when one of them differs
`;

/**
 * Writes the generated files that have changed or, with `--check`, lists them.
 * @param folder of the project, with a trailing slash
 * @returns the exit code: 1 if `--check` found differences, 2 for an unknown option
 */
export async function codegen(args: readonly string[], folder: URL): Promise<number> {
  const check = readCheck(args);
  if (check === undefined) return 2;
  const at = (path: string) => new URL(path, folder);
  // Loaded on demand, since the printers take seconds to load.
  const { printAll } = await import('./printed.ts');
  const printed = await printAll(at);
  const names = await differing(printed, at);
  if (check && names.length > 0) {
    process.stderr.write(`Not what the schema says: ${names.join(', ')}. Run "npm run codegen".\n`);
    return 1;
  }
  if (check) return 0;
  await Promise.all(names.map(path => writeFile(at(path), printed.get(path)!)));
  process.stdout.write(names.length > 0 ? `Printed ${names.join(', ')}\n` : 'Nothing has changed.\n');
  return 0;
}

/** Returns undefined for an unknown option, after printing a message. */
function readCheck(args: readonly string[]): boolean | undefined {
  try {
    return parseArgs({ args: [...args], options: { check: { type: 'boolean', default: false } } }).values
      .check;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

async function differing(printed: ReadonlyMap<string, string>, at: (path: string) => URL): Promise<string[]> {
  const names: string[] = [];
  for (const [path, text] of printed) {
    const committed = await readFile(at(path), 'utf8').catch(() => undefined);
    if (committed !== text) names.push(path);
  }
  return names;
}
