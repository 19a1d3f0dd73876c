export { bundlePage } from './app/bundle.ts';
export type { BundledFile } from './bundle.ts';
export { bundleDocs } from './docs/bundle.ts';
