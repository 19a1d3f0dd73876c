import { createHash } from 'node:crypto';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';

/** Whether a browser asks for a page. It is for everybody: the key is asked for by the queries. */
export function isGraphiQLPage({ method, headers }: Omit<GraphQLRequest, 'body'>): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
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

let page: Promise<GraphQLReply> | undefined;

/** GraphiQL with everything in it: 9 MB, so nothing of it is read before somebody asks. */
export function graphiQLPage(): Promise<GraphQLReply> {
  page ??= render();
  return page;
}

async function render(): Promise<GraphQLReply> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'Sightline GraphiQL',
    endpoint: '/graphql',
    defaultQuery: DEFAULT_QUERY,
    headers: HEADERS,
    shouldPersistHeaders: false,
  });
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(html),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, max-age=3600',
    },
    body: html,
  };
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
