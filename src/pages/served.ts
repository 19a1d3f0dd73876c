import { LLMS } from '@sightline/web/served';
import {
  NOWHERE,
  Redirect,
  StaticFile,
  type StaticFileHandler,
  type StaticFiles,
} from '../http/static-files.ts';
import { PAGE_PATH } from './app.ts';
import { DOCS_PATH } from './docs.ts';
import { documentFiles } from './document.ts';
import { nowherePage } from './nowhere.ts';

const APP: [string, string][] = [[PAGE_PATH, 'the reports of an account']];

function textFile(text: string): StaticFile {
  const headers = { 'Cache-Control': 'no-cache' };
  return new StaticFile({ contentType: 'text/plain; charset=utf-8', headers, read: () => text });
}

/**
 * Returns the files that are served unchanged: the description of `/v1`, and entry pages.
 * @param hasPage whether the root redirects to `/app` rather than `/docs`
 * @param publicUrl the public address; by default that of the request
 * @param publicPath the path of that address
 */
export function servedFiles(hasPage: boolean, publicUrl?: string, publicPath = ''): StaticFiles {
  const places: [string, string][] = [...(hasPage ? APP : []), [DOCS_PATH, 'the documentation']];
  return new Map<string, StaticFileHandler>([
    ['/', new Redirect(publicPath + (hasPage ? PAGE_PATH : DOCS_PATH))],
    ...documentFiles(publicUrl),
    ['/llms.txt', textFile(LLMS)],
    [NOWHERE, nowherePage(places.map(([path, name]) => [publicPath + path, name]))],
  ]);
}
