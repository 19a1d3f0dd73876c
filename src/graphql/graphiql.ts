import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { preference } from '../http/preference.ts';
import { StaticFile } from '../http/static-files.ts';
import type { GraphQLRequest } from './messages.ts';

/** Whether a browser asks for a page. It is for everybody: the key is asked for by the queries. */
export function isGraphiQLPage({ method, headers }: Omit<GraphQLRequest, 'body'>): boolean {
  return method === 'GET' && (preference(headers.accept) ?? '').includes('text/html');
}

const DEFAULT_QUERY = `# 1. Put your key into Headers.
# 2. Press the arrows at the left:
#    they fetch the schema.

{
  viewer {
    id
    plan {
      name
      tier
    }
    quota {
      used
      limit
    }
  }
}
`;

const HEADERS = JSON.stringify({ Authorization: 'Bearer YOUR_KEY' }, null, 2);

/** Where a build puts the page, beside what serves it: a service needs no package for it. */
export const BUILT_GRAPHIQL = 'graphiql.html';
const built = new URL(BUILT_GRAPHIQL, import.meta.url);

let page: Promise<StaticFile> | undefined;

/** GraphiQL with everything in it: 9 MB, so nothing of it is read before somebody asks. */
export function graphiQLPage(): Promise<StaticFile> {
  page ??= load();
  return page;
}

async function load(): Promise<StaticFile> {
  const read = existsSync(built) ? () => readFileSync(built, 'utf8') : await fromPackage();
  return new StaticFile({
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': contentSecurityPolicy(read()),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, max-age=3600',
      Vary: 'Accept, Accept-Encoding',
    },
    read,
  });
}

/** What makes the page of the package of a checkout. */
export async function fromPackage(): Promise<() => string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return () =>
    renderGraphiQL({
      title: 'Sightline GraphiQL',
      endpoint: '/graphql',
      defaultQuery: DEFAULT_QUERY,
      headers: HEADERS,
      shouldPersistHeaders: false,
    });
}

/** The page's own script, what that draws with, and this service: nothing else. */
function contentSecurityPolicy(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
