import { createHash } from 'node:crypto';

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

/** A hint above the explorer. It is shown at every visit, because the key is never stored. */
const HINT = `<header id="hint">Put your key into <b>Headers</b>, below the query:
<code>{"Authorization": "Bearer svc_t_…"}</code>. Until then the service answers <i>Unauthorized</i>.
<a href="/docs">Documentation</a></header>`;

const HINT_STYLE = `<style>
body { display: flex; flex-direction: column; height: 100dvh; margin: 0 }
#root { flex: 1; min-height: 0 }
#root > *, .graphiql-container { height: 100% !important }
#hint { padding: .5rem 1rem; font: .875rem/1.5 system-ui, sans-serif; background: #1f2937; color: #f9fafb }
#hint a { color: #93c5fd }
#hint code { overflow-wrap: anywhere }
@media (max-width: 45rem) {
  #graphiql-session { flex-direction: column !important }
  .graphiql-logo { display: none }
}
</style>`;

const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * A script that runs before GraphiQL. It answers the schema request that GraphiQL sends without a key with
 * instructions, and clears stored tabs, which would hide the example.
 */
const BEFORE_START = `localStorage.removeItem('graphiql:tabState');
const ask = window.fetch;
window.fetch = (input, init) => JSON.stringify(init?.headers ?? '').includes('YOUR_KEY')
  ? Promise.resolve(Response.json({ errors: [{ message: 'Put your key into Headers, below the query' }] }))
  : ask(input, init);
`;

/** Builds the page from the GraphiQL package. Returns a function that generates the HTML, because it has 9 MB. */
export async function graphiQL(): Promise<() => string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return () => {
    const html = renderGraphiQL({
      title: 'Sightline GraphiQL',
      endpoint: '/graphql',
      defaultQuery: DEFAULT_QUERY,
      headers: HEADERS,
      shouldPersistHeaders: false,
    });
    const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1" />';
    const [start, root] = [html.lastIndexOf(START), '<div id="root"></div>'];
    if (start < 0 || !html.includes(root) || !html.includes('</head>')) {
      throw new Error('this version of GraphiQL is not supported');
    }
    return `${html.slice(0, start)}${BEFORE_START}${html.slice(start)}`
      .replace('</head>', () => `${viewport}${HINT_STYLE}</head>`)
      .replace(root, () => HINT + root);
  };
}

/**
 * Returns the Content-Security-Policy of the page, which allows its own script, the styles and images that the script
 * uses, and requests to the service.
 */
export function graphiQLPolicy(html: string): string {
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
