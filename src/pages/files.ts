import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundledFile } from '@sightline/pages';
import { CONTENT_SECURITY_POLICY } from '@sightline/pages/rights';
import { StaticFile, type StaticFiles } from '../http/static-files.ts';

/** The folder beside this file, into which a build puts the files of each page, in a folder of its name. */
export const BUILT = 'built';

/** The pages that the service has. */
export type PageName = 'app' | 'docs';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Finds the files of a page: as they were built, or, in a checkout, bundled at the first call. Built files are read at
 * once and held: a new version may take their place while this one runs.
 * @param built the folder of built files; the one beside this file when left out
 */
export function pageFiles(
  page: PageName,
  bundle: () => Promise<BundledFile[]>,
  built = fileURLToPath(new URL(`./${BUILT}/${page}/`, import.meta.url)),
): () => Promise<readonly BundledFile[]> {
  if (!existsSync(built)) return () => bundledOnce(page, bundle);
  const files = readdirSync(built).map(name => ({ name, content: readFileSync(join(built, name)) }));
  return async () => files;
}

const bundled = new Map<PageName, Promise<readonly BundledFile[]>>();

/** Bundles a page once in a process, and again where that has failed. */
function bundledOnce(page: PageName, bundle: () => Promise<BundledFile[]>): Promise<readonly BundledFile[]> {
  const files = bundled.get(page) ?? bundle();
  bundled.set(page, files);
  files.catch(() => bundled.delete(page));
  return files;
}

/**
 * The files of a page by path: its HTML at its own path, what it loads below.
 * @param written the HTML as it is served
 */
export function filesBelow(
  path: string,
  files: readonly BundledFile[],
  written = (html: string) => html,
): StaticFiles {
  const html = files.find(({ name }) => endingOf(name) === 'html');
  if (!html) throw new Error(`The page at ${path} has no HTML.`);
  return new Map([
    [path, htmlFile(() => written(html.content.toString()), CONTENT_SECURITY_POLICY)],
    ...files.filter(file => file !== html).map(file => [`${path}/${file.name}`, loadedFile(file)] as const),
  ]);
}

/** A script or a style: browsers keep it for ever, since its name changes with its content. */
function loadedFile({ name, content }: BundledFile): StaticFile {
  return new StaticFile({
    contentType: CONTENT_TYPES[endingOf(name)]!,
    read: () => content,
    headers: FOR_EVER,
  });
}

/** A page, which a browser asks for again each time. @param policy its Content-Security-Policy */
export function htmlFile(read: () => string, policy: string): StaticFile {
  return new StaticFile({
    contentType: 'text/html; charset=utf-8',
    read,
    headers: {
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
