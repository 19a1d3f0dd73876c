import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { BuildOptions } from 'esbuild';
import type { Loaded } from './loaded.ts';

/** A file that a page loads. Its name changes with its content. */
export interface BundledFile {
  name: string;
  content: Buffer;
}

/**
 * A page: its script and its style, made of sources for a browser, and the HTML that loads them.
 * @param folder of the sources, with `main.tsx` and `style.css`
 * @param name of the HTML
 * @throws where esbuild and Preact are not installed: both come with a checkout, and a build needs neither
 */
export async function bundleForBrowser(
  folder: string,
  name: string,
  html: (loaded: Loaded) => string,
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
  const nameOf = (ending: string) => files.find(file => file.name.endsWith(ending))!.name;
  const content = Buffer.from(html({ script: nameOf('.js'), style: nameOf('.css') }));
  return [...files, { name, content }];
}

/** Imports a module in TSX, in a process that has no compiler for it. @param entry path of the module */
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

/** One after the other: the end of one stops the compiler, of which there is one in a process. */
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
    // It would keep a process of its own until this one ends.
    await esbuild.stop();
  }
}

function preactLicence(): string {
  const root = dirname(createRequire(import.meta.url).resolve('preact/package.json'));
  return readFileSync(join(root, 'LICENSE'), 'utf8');
}
