import type { StaticFiles } from '../http/static-files.ts';
import { fileOf, htmlFile, loadedFile, type PageFile, pageFiles } from '../pages/files.ts';
import { CONTENT_SECURITY_POLICY } from '../pages/policy.ts';
import { pageHtml } from './html.ts';

/** Where the service has its page. */
export const PAGE_PATH = '/app';

/** Finds the page and what it loads, by path. @param built as for `pageFiles` */
export function appFiles(built?: string): () => Promise<StaticFiles> {
  const bundle = async () => (await import('./bundle.ts')).bundlePage();
  const find = pageFiles(import.meta.url, bundle, built);
  return async () => filesOf(await find());
}

function filesOf(files: readonly PageFile[]): StaticFiles {
  const [script, style] = [fileOf(files, 'js').name, fileOf(files, 'css').name];
  const page = htmlFile(() => pageHtml({ script, style }), CONTENT_SECURITY_POLICY);
  return new Map([
    [PAGE_PATH, page],
    ...files.map(file => [`${PAGE_PATH}/${file.name}`, loadedFile(file)] as const),
  ]);
}
