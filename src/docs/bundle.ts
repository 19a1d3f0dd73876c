import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BundledFile, bundleForBrowser, importBundled } from '../pages/bundle.ts';
import { description } from './description.ts';

/** In the order in which they stand on the page. */
const GUIDES = ['start', 'first-request', 'errors', 'reports-in', 'filters', 'siem', 'dmarc', 'graphql'];

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');

/** The exports of `render/page.tsx`. */
interface Renderer {
  renderPage(sources: object): string;
}

/** What `/docs` consists of: its script, its style, and the page, made of `openapi.yaml` and the guides. */
export async function bundleDocs(): Promise<BundledFile[]> {
  const files = await bundleForBrowser(at('./browser/'));
  const { renderPage } = await importBundled<Renderer>(at('./render/page.tsx'));
  const nameOf = (ending: string) => files.find(({ name }) => name.endsWith(ending))!.name;
  const html = renderPage({
    description: description(),
    guides: GUIDES.map(slug => [slug, read(`./guides/${slug}.md`)]),
    script: nameOf('.js'),
    style: nameOf('.css'),
  });
  return [...files, { name: 'docs.html', content: Buffer.from(html) }];
}
