import { LOCAL_URL } from '@sightline/openapi/description';
import type { StaticFiles } from '../http/static-files.ts';
import { description } from './description.ts';
import { filesBelow, pageFiles } from './files.ts';
import { createPage, type Page } from './page.ts';

/** The path of the documentation. */
export const DOCS_PATH = '/docs';

/**
 * Serves the documentation.
 * @param publicUrl the URL for clients; by default that of the browser
 * @param built as for `pageFiles`
 */
export function createDocs(publicUrl?: string, built?: string): Page {
  return createPage(docsFiles(publicUrl, built));
}

/** Finds the page and its resources by path. */
export function docsFiles(publicUrl?: string, built?: string): () => Promise<StaticFiles> {
  const find = pageFiles('docs', bundle, built);
  return async () => filesBelow(DOCS_PATH, await find(), html => servedAt(html, publicUrl));
}

/** Bundles the files of the page from the committed description. */
export async function bundle() {
  return (await import('@sightline/web')).bundleDocs(description(), LOCAL_URL);
}

/** The built page contains an example URL. If none is configured, browsers replace it by their own. */
function servedAt(html: string, url: string | undefined): string {
  if (url === undefined) return html;
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '%27');
  return html.replaceAll(LOCAL_URL, escaped).replace('<html ', `<html data-base="${escaped}" `);
}
