import { LOCAL_URL } from '@sightline/openapi/about';
import type { StaticFiles } from '../http/static-files.ts';
import { description } from './description.ts';
import { filesBelow, pageFiles } from './files.ts';
import { createPage, type Page } from './page.ts';

/** The path of the documentation. */
export const DOCS_PATH = '/docs';

/**
 * The documentation.
 * @param publicUrl the address for clients; the one that the browser has when left out
 * @param built as for `pageFiles`
 */
export function createDocs(publicUrl?: string, built?: string): Page {
  return createPage(docsFiles(publicUrl, built));
}

/** Finds the page and what it loads, by path. */
export function docsFiles(publicUrl?: string, built?: string): () => Promise<StaticFiles> {
  const find = pageFiles('docs', bundle, built);
  return async () => filesBelow(DOCS_PATH, await find(), html => servedAt(html, publicUrl));
}

/** The files of the page, from the committed description. */
export async function bundle() {
  return (await import('@sightline/pages')).bundleDocs(description(), LOCAL_URL);
}

/** A page as it was built has an address to try; a browser puts its own in, where the service names none. */
function servedAt(html: string, url: string | undefined): string {
  if (url === undefined) return html;
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '%27');
  return html.replaceAll(LOCAL_URL, escaped).replace('<html ', `<html data-base="${escaped}" `);
}
