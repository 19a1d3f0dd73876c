import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import type { Breach } from './breaches.ts';

/** Replaces a part of the client's source text. */
export interface Mutation {
  name: string;
  file: string;
  from: string;
  to: string;
}

const ROOT = new URL('../../', import.meta.url).pathname;
const BUILT = `${ROOT}node_modules/.cache/simulation`;

/** Plays histories with the modified client until one of them breaks a promise. */
export async function firstBreach(
  mutations: readonly Mutation[],
  histories: number,
): Promise<Breach | undefined> {
  const name = `${BUILT}/${process.pid}-${Math.random().toString(36).slice(2)}.mjs`;
  const read: string[] = [];
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/simulation/breaches.ts`],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@sightline/pg-client': `${ROOT}packages/pg-client/src/index.ts` },
    plugins: [
      {
        name: 'mutations',
        setup({ onLoad }) {
          onLoad({ filter: /pg-client\/src\/client\/[^/]*\.ts$/ }, ({ path }) => {
            read.push(path);
            return { contents: mutated(path, mutations), loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const { file } of mutations)
    if (!read.some(path => path.endsWith(`/${file}`))) throw new Error(`${file} is no part of the client`);
  await mkdir(BUILT, { recursive: true });
  await writeFile(name, outputFiles[0]!.contents);
  const { breaches } = (await import(name)) as typeof import('./breaches.ts');
  for (let seed = 1; seed <= histories; seed++) {
    const [first] = await breaches(seed);
    if (first) return first;
  }
  return undefined;
}

/** @throws if the source no longer contains the text */
function mutated(path: string, mutations: readonly Mutation[]): string {
  let text = readFileSync(path, 'utf8');
  for (const { file, from, to, name } of mutations) {
    if (!path.endsWith(`/${file}`)) continue;
    if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not have this once: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}
