import { existsSync, readFileSync } from 'node:fs';
import { graphiQL, graphiQLPolicy } from '@sightline/web/graphiql';
import type { Request } from '../http/reply.ts';
import { asksForPage, StaticFile } from '../http/static-files.ts';

/**
 * Recognizes a browser's request for the GraphiQL page, which is public; its queries need a key. Programs that accept
 * `text/html`, as Java's HttpURLConnection does by default, are recognized by their key.
 */
export function isGraphiQLPage({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return asksForPage(method, headers) && !/^bearer /i.test(String(headers.authorization));
}

/** The file name of the built page, next to its server, so a service does not need its packages. */
export const BUILT_GRAPHIQL = 'graphiql.html';
const built = new URL(BUILT_GRAPHIQL, import.meta.url);

let page: Promise<StaticFile> | undefined;

/** Returns GraphiQL with all its resources: 9 MB, read on the first request. */
export function graphiQLPage(): Promise<StaticFile> {
  page ??= load();
  return page;
}

async function load(): Promise<StaticFile> {
  const read = existsSync(built) ? () => readFileSync(built, 'utf8') : await graphiQL();
  return new StaticFile({
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': graphiQLPolicy(read()),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, max-age=3600',
      Vary: 'Accept, Accept-Encoding',
    },
    read,
  });
}
