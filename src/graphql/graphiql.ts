import { existsSync, readFileSync } from 'node:fs';
import { graphiQL, graphiQLPolicy } from '@sightline/pages/graphiql';
import { asksForPage, StaticFile } from '../http/static-files.ts';
import type { GraphQLRequest } from './messages.ts';

/** Tells whether a browser asks for a page. It is for everybody: the key is asked for by the queries. */
export function isGraphiQLPage({ method, headers }: Omit<GraphQLRequest, 'body'>): boolean {
  return asksForPage(method, headers);
}

/** The path of the built page, beside its server: a service needs no package for it. */
export const BUILT_GRAPHIQL = 'graphiql.html';
const built = new URL(BUILT_GRAPHIQL, import.meta.url);

let page: Promise<StaticFile> | undefined;

/** GraphiQL with everything in it: 9 MB, so nothing of it is read before somebody asks. */
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
