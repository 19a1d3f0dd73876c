import { fileURLToPath } from 'node:url';
import { type BundledFile, bundleForBrowser } from '../bundle.ts';
import { pageHtml } from './html.ts';

/** Bundles the page at `/app` with its script and its stylesheet. */
export function bundlePage(): Promise<BundledFile[]> {
  return bundleForBrowser(fileURLToPath(new URL('./browser/', import.meta.url)), 'app.html', pageHtml);
}
