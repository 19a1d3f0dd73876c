import type { StaticFiles } from '../http/static-files.ts';
import { fileOf, htmlFile, loadedFile, pageFiles } from '../pages/files.ts';
import { CONTENT_SECURITY_POLICY } from '../pages/policy.ts';
import { pageHtml } from './html.ts';

/** Where the service has its page. */
export const PAGE_PATH = '/app';

/** The page and what it loads, by path. @param built as for `pageFiles` */
export async function appFiles(built?: string): Promise<StaticFiles> {
  const bundle = async () => (await import('./bundle.ts')).bundlePage();
  const files = await pageFiles(import.meta.url, bundle, built);
  const [script, style] = [fileOf(files, 'js').name, fileOf(files, 'css').name];
  const page = htmlFile(() => pageHtml({ script, style }), CONTENT_SECURITY_POLICY);
  return new Map([
    [PAGE_PATH, page],
    ...files.map(file => [`${PAGE_PATH}/${file.name}`, loadedFile(file)] as const),
  ]);
}
