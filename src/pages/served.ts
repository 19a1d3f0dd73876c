import { LLMS } from '@sightline/pages/llms';
import { NOWHERE, Redirect, type Served, StaticFile, type StaticFiles } from '../http/static-files.ts';
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
 * Files that are served as they are: the description of `/v1`, and the ways to it.
 * @param hasPage whether there is `/app`: a visitor who knows only the address lands there, and otherwise on `/docs`
 * @param publicUrl the address for clients; that of their requests when left out
 */
export function servedFiles(hasPage: boolean, publicUrl?: string): StaticFiles {
  return new Map<string, Served>([
    ['/', new Redirect(hasPage ? PAGE_PATH : DOCS_PATH)],
    ...documentFiles(publicUrl),
    ['/llms.txt', textFile(LLMS)],
    [NOWHERE, nowherePage([...(hasPage ? APP : []), [DOCS_PATH, 'the documentation']])],
  ]);
}
