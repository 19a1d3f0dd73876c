import { docsAssets } from './docs/assets.ts';
import type { StaticFile, StaticFiles } from './http/static-files.ts';
import { documentFiles } from './openapi/served.ts';

/** Where somebody lands who only knows the address. */
const HOME: StaticFile = {
  contentType: 'text/html; charset=utf-8',
  headers: { Location: '/docs', 'Cache-Control': 'no-cache' },
  body: '',
};

/** All that is served as it is: the description of `/v1` and its page. Read once, at the start. */
export function servedFiles(): StaticFiles {
  return new Map([['/', HOME], ...documentFiles(), ...docsAssets()]);
}
