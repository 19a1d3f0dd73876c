import type { TypedDocumentString } from '../documents/documents.generated.ts';
import { Copy } from './copy.tsx';

interface Props<Data, Variables> {
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
}

/** What the view asks, for a terminal and for GraphQL: every picture teaches the API that gave it. */
export function AsRequest<Data, Variables>({ document, variables }: Props<Data, Variables>) {
  const curl = curlOf(String(document), variables);
  return (
    <details class="request">
      <summary>This as a request</summary>
      <p>
        All numbers above come from one query. Put your key into <code>KEY</code> and paste this into a
        terminal.
      </p>
      <Copy text={curl} label="Copy the curl line" />
      <pre tabIndex={0}>{curl}</pre>
    </details>
  );
}

function curlOf(query: string, variables: unknown): string {
  const url = new URL('graphql', location.href.replace(/#.*/s, '')).href;
  const body = JSON.stringify({ query: query.trim().replace(/\s+/g, ' '), variables });
  return [
    `curl ${url} \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
