import { docsAssets } from './docs/assets.ts';
import { Redirect, type StaticFile, type StaticFiles } from './http/static-files.ts';
import { documentFiles } from './openapi/served.ts';

/** All that is served as it is: the description of `/v1` and its page. Who knows only the address lands on that. */
export function servedFiles(): StaticFiles {
  return new Map<string, StaticFile | Redirect>([
    ['/', new Redirect('/docs')],
    ...documentFiles(),
    ...docsAssets(),
  ]);
}
