import { PAGE_PATH } from '../app-page/files.ts';
import { Redirect, type Served, type StaticFiles } from '../http/static-files.ts';
import { docsAssets } from './assets.ts';
import { documentFiles } from './document.ts';

/**
 * All that is served as it is: the description of `/v1` and its page.
 * @param hasPage whether there is `/app`: a visitor who knows only the address lands there, and otherwise on `/docs`
 * @param publicUrl the address for clients; that of their requests when left out
 */
export function servedFiles(hasPage: boolean, publicUrl?: string): StaticFiles {
  return new Map<string, Served>([
    ['/', new Redirect(hasPage ? PAGE_PATH : '/docs')],
    ...documentFiles(publicUrl),
    ...docsAssets(),
  ]);
}
