import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaticFile } from '../http/static-files.ts';
import type { BundledFile } from './bundle.ts';

/** The folder, beside a page's own sources, into which a build puts what the page consists of. */
export const BUILT = 'built';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A file of a page. */
export interface PageFile {
  name: string;
  read(): Buffer;
}

/**
 * What a page consists of, to be asked for: as it was built, or, in a checkout, bundled when it is asked for. Built
 * files are read at once and held: a new version may take its place while this one runs.
 * @param place address of the page's source
 * @param built the folder of what was built; the one beside the source when left out
 */
export function pageFiles(
  place: string,
  bundle: () => Promise<BundledFile[]>,
  built = fileURLToPath(new URL(`./${BUILT}/`, place)),
): () => Promise<PageFile[]> {
  if (!existsSync(built)) return async () => heldFiles(await bundledOnce(place, bundle));
  const files = heldFiles(
    readdirSync(built).map(name => ({ name, content: readFileSync(join(built, name)) })),
  );
  return async () => files;
}

function heldFiles(files: readonly BundledFile[]): PageFile[] {
  return files.map(({ name, content }) => ({ name, read: () => content }));
}

const bundled = new Map<string, Promise<BundledFile[]>>();

/** Bundles a page once in a process, and again where that has failed. */
function bundledOnce(place: string, bundle: () => Promise<BundledFile[]>): Promise<BundledFile[]> {
  const files = bundled.get(place) ?? bundle();
  bundled.set(place, files);
  files.catch(() => bundled.delete(place));
  return files;
}

/** What a page loads: for ever, since its name changes with it. */
export function loadedFile({ name, read }: PageFile): StaticFile {
  return new StaticFile({ contentType: CONTENT_TYPES[endingOf(name)]!, read, headers: FOR_EVER });
}

/** @throws where there is none */
export function fileOf(files: readonly PageFile[], ending: string): PageFile {
  const file = files.find(({ name }) => endingOf(name) === ending);
  if (!file) throw new Error(`The page has no file .${ending}.`);
  return file;
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
