import { Copy } from '../../../browser/copy.tsx';
import { serviceUrl } from '../address.ts';
import type { TypedDocumentString } from '../documents/documents.generated.ts';
import { escapedJson } from '../format.ts';

interface Props<Data, Variables> {
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
}

/** The query of the view, for a terminal and for GraphQL: each picture teaches the API behind it. */
export function AsRequest<Data, Variables>({ document, variables }: Props<Data, Variables>) {
  const curl = curlOf(String(document), variables);
  return (
    <details class="request">
      <summary>This as a request</summary>
      <p>
        All numbers above come from one query. Put your key into <code>SIGHTLINE_KEY</code> and paste this
        into a terminal.
      </p>
      <Copy text={curl} label="Copy the curl line" />
      <pre tabIndex={0}>{curl}</pre>
    </details>
  );
}

/** @param path of a file, without the first slash */
export function curlFor(path: string): string {
  return `curl --fail --compressed --remote-header-name --remote-name -H "Authorization: Bearer $SIGHTLINE_KEY" '${urlOf(path)}'`;
}

function urlOf(path: string): string {
  return serviceUrl(path).replaceAll("'", '%27');
}

function curlOf(query: string, variables: unknown): string {
  const body = escapedJson(JSON.stringify({ query: query.trim().replace(/\s+/g, ' '), variables }));
  return [
    `curl ${urlOf('graphql')} \\`,
    `  -H "Authorization: Bearer $SIGHTLINE_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
