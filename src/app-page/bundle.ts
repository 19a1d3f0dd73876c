import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that the page loads. Its name changes with its content. */
export interface BundledFile {
  name: string;
  content: Buffer;
}

const BROWSER = fileURLToPath(new URL('./browser/', import.meta.url));

/**
 * The page's script and its style, made of the sources in `browser/`.
 * @throws where esbuild and Preact are not installed: both come with a checkout, and a build needs neither
 */
export async function bundlePage(): Promise<BundledFile[]> {
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: { page: join(BROWSER, 'main.tsx'), style: join(BROWSER, 'style.css') },
      entryNames: '[name].[hash]',
      outdir: BROWSER,
      write: false,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      footer: { js: `/*! Preact\n${preactLicence()}*/` },
      logLevel: 'silent',
    });
    return outputFiles.map(({ path, contents }) => ({
      name: path.slice(BROWSER.length),
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
