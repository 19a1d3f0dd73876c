import { fileURLToPath } from 'node:url';
import { type BundledFile, bundleForBrowser } from '../bundle.ts';
import { pageHtml } from './html.ts';

/** The page at `/app`, its script and its style. */
export function bundlePage(): Promise<BundledFile[]> {
  return bundleForBrowser(fileURLToPath(new URL('./browser/', import.meta.url)), 'app.html', pageHtml);
}
