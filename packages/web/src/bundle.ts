import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { BuildOptions } from 'esbuild';
import type { PageAssets } from './loaded.ts';

/** A file that a page loads. Its name contains a hash of its content. */
export interface BundledFile {
  name: string;
  content: Buffer;
}

/**
 * Bundles a page: its script, its stylesheet, and the HTML that loads them.
 * @param folder the folder of the sources, with `main.tsx` and `style.css`
 * @param name the name of the HTML file
 * @throws if esbuild and Preact are not installed, as in a built package, which contains the bundled pages
 */
export async function bundleForBrowser(
  folder: string,
  name: string,
  html: (loaded: PageAssets) => string,
): Promise<BundledFile[]> {
  const files = await bundle({
    entryPoints: { page: join(folder, 'main.tsx'), style: join(folder, 'style.css') },
    entryNames: '[name].[hash]',
    outdir: folder,
    target: 'es2022',
    format: 'esm',
    minify: true,
    footer: { js: `/*! Preact\n${preactLicence()}*/` },
  });
  const getName = (ending: string) => files.find(file => file.name.endsWith(ending))!.name;
  const content = Buffer.from(html({ script: getName('.js'), style: getName('.css') }));
  return [...files, { name, content }];
}

/**
 * Bundles a TSX module and imports the result, because Node cannot import TSX.
 * @param entry path of the module
 */
export async function importBundled<Module>(entry: string): Promise<Module> {
  const [file] = await bundle({
    entryPoints: [entry],
    outdir: dirname(entry),
    platform: 'node',
    format: 'cjs',
  });
  const module = { exports: {} };
  const run = compileFunction(file!.content.toString(), ['module', 'require'], { filename: entry });
  run(module, createRequire(entry));
  return module.exports as Module;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one build at a time, because a process has only one compiler and the end of a build stops it. */
function bundle(options: BuildOptions & { outdir: string }): Promise<BundledFile[]> {
  const next = last.then(() => build(options));
  last = next.catch(() => undefined);
  return next;
}

async function build(options: BuildOptions & { outdir: string }): Promise<BundledFile[]> {
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      ...options,
      write: false,
      bundle: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'silent',
    });
    return outputFiles.map(({ path, contents }) => ({
      name: path.slice(options.outdir.replace(/[/\\]$/, '').length + 1),
      content: Buffer.from(contents),
    }));
  } finally {
    // The compiler's child process would otherwise run until this process exits.
    await esbuild.stop();
  }
}

function preactLicence(): string {
  const root = dirname(createRequire(import.meta.url).resolve('preact/package.json'));
  return readFileSync(join(root, 'LICENSE'), 'utf8');
}
