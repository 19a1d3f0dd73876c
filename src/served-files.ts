import { docsAssets } from './docs/assets.ts';
import { Redirect, type Served, type StaticFiles } from './http/static-files.ts';
import { documentFiles } from './openapi/served.ts';

/**
 * All that is served as it is: the description of `/v1` and its page. Who knows only the address lands on that.
 * @param publicUrl the address for clients; that of their requests when left out
 */
export function servedFiles(publicUrl?: string): StaticFiles {
  return new Map<string, Served>([
    ['/', new Redirect('/docs')],
    ...documentFiles(publicUrl),
    ...docsAssets(),
  ]);
}
