import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '@sightline/openapi';
import { type BundledFile, bundleForBrowser, importBundled } from '../bundle.ts';
import type { Sources } from './render/sources.ts';

/** Names of the guides, in the order of the page. */
const GUIDES = ['start', 'first-request', 'errors', 'reports-in', 'filters', 'siem', 'dmarc', 'graphql'];

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');

/** The exports of `render/page.tsx`, which is bundled before it is imported. */
interface Renderer {
  renderPage(sources: Sources): string;
}

/**
 * Renders the documentation page from the OpenAPI description and the guides, and bundles it with its script and
 * stylesheet.
 * @param base URL of the API in the examples
 */
export async function bundleDocs(description: OpenApiDocument, base: string): Promise<BundledFile[]> {
  const { renderPage } = await importBundled<Renderer>(at('./render/page.tsx'));
  const guides = GUIDES.map(slug => [slug, read(`./guides/${slug}.md`)] as const);
  return bundleForBrowser(at('./browser/'), 'docs.html', loaded =>
    renderPage({ description, base, guides, ...loaded }),
  );
}
