import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundledFile } from '@sightline/web';
import { CONTENT_SECURITY_POLICY } from '@sightline/web/served';
import { StaticFile, type StaticFiles } from '../http/static-files.ts';

/** The folder next to this file in which a build stores the files of each page. */
export const BUILT = 'built';

/** The pages that the service has. */
export type PageName = 'app' | 'docs';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Finds the files of a page: the built ones, or in a checkout a bundle created at the first call. Built files are read
 * at the start, because an upgrade can replace them while this version runs.
 * @param built the folder of built files; by default the one next to this file
 */
export function pageFiles(
  page: PageName,
  bundle: () => Promise<BundledFile[]>,
  built = fileURLToPath(new URL(`./${BUILT}/${page}/`, import.meta.url)),
): () => Promise<readonly BundledFile[]> {
  if (!existsSync(built)) return () => bundleOnce(page, bundle);
  const files = readdirSync(built).map(name => ({ name, content: readFileSync(join(built, name)) }));
  return async () => files;
}

const bundled = new Map<PageName, Promise<readonly BundledFile[]>>();

/** Bundles a page once per process; a failure is retried. */
function bundleOnce(page: PageName, bundle: () => Promise<BundledFile[]>): Promise<readonly BundledFile[]> {
  const files = bundled.get(page) ?? bundle();
  bundled.set(page, files);
  files.catch(() => bundled.delete(page));
  return files;
}

/**
 * Returns the files of a page by path: the HTML at its path, and its resources below.
 * @param written the HTML to serve
 */
export function filesBelow(
  path: string,
  files: readonly BundledFile[],
  written = (html: string) => html,
): StaticFiles {
  const html = files.find(({ name }) => getExtension(name) === 'html');
  if (!html) throw new Error(`The page at ${path} has no HTML.`);
  return new Map([
    [path, htmlFile(() => written(html.content.toString()), CONTENT_SECURITY_POLICY)],
    ...files.filter(file => file !== html).map(file => [`${path}/${file.name}`, loadedFile(file)] as const),
  ]);
}

/** A script or style sheet. Browsers can cache it for ever, because its name contains a digest of its content. */
function loadedFile({ name, content }: BundledFile): StaticFile {
  return new StaticFile({
    contentType: CONTENT_TYPES[getExtension(name)]!,
    read: () => content,
    headers: FOR_EVER,
  });
}

/** Creates an HTML page, which browsers revalidate each time. @param policy its Content-Security-Policy */
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

function getExtension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
