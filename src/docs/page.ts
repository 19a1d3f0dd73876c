import type { StaticFiles } from '../http/static-files.ts';
import { LOCAL_URL } from '../openapi/about.ts';
import { fileOf, htmlFile, loadedFile, type PageFile, pageFiles } from '../pages/files.ts';
import { createPage, type Page } from '../pages/page.ts';
import { CONTENT_SECURITY_POLICY } from '../pages/policy.ts';

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
  const bundle = async () => (await import('./bundle.ts')).bundleDocs();
  const find = pageFiles(import.meta.url, bundle, built);
  return async () => filesOf(await find(), publicUrl);
}

function filesOf(files: readonly PageFile[], publicUrl: string | undefined): StaticFiles {
  const html = fileOf(files, 'html');
  return new Map([
    [DOCS_PATH, htmlFile(() => servedAt(html.read().toString(), publicUrl), CONTENT_SECURITY_POLICY)],
    ...files
      .filter(file => file !== html)
      .map(file => [`${DOCS_PATH}/${file.name}`, loadedFile(file)] as const),
  ]);
}

/** A page as it was built has an address to try; a browser puts its own in, where the service names none. */
function servedAt(html: string, url: string | undefined): string {
  if (url === undefined) return html;
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '%27');
  return html.replaceAll(LOCAL_URL, escaped).replace('<html ', `<html data-base="${escaped}" `);
}
