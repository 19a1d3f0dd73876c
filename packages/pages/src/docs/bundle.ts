import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '@sightline/openapi';
import { type BundledFile, bundleForBrowser, importBundled } from '../bundle.ts';
import type { Sources } from './render/sources.ts';

/** In the order in which they stand on the page. */
const GUIDES = ['start', 'first-request', 'errors', 'reports-in', 'filters', 'siem', 'dmarc', 'graphql'];

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');

/** The exports of `render/page.tsx`. */
interface Renderer {
  renderPage(sources: Sources): string;
}

/**
 * The documentation, its script and its style, made of a description and the guides.
 * @param base the address of the API in its examples
 */
export async function bundleDocs(description: OpenApiDocument, base: string): Promise<BundledFile[]> {
  const { renderPage } = await importBundled<Renderer>(at('./render/page.tsx'));
  const guides = GUIDES.map(slug => [slug, read(`./guides/${slug}.md`)] as const);
  return bundleForBrowser(at('./browser/'), 'docs.html', loaded =>
    renderPage({ description, base, guides, ...loaded }),
  );
}
