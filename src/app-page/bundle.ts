import { fileURLToPath } from 'node:url';
import { type BundledFile, bundleForBrowser } from '../pages/bundle.ts';

/** The page's script and its style, made of the sources in `browser/`. */
export function bundlePage(): Promise<BundledFile[]> {
  return bundleForBrowser(fileURLToPath(new URL('./browser/', import.meta.url)));
}
