import { Copy } from '../../../browser/copy.tsx';
import { serviceUrl } from '../address.ts';
import type { TypedDocumentString } from '../documents/documents.generated.ts';
import { escapedJson } from '../format.ts';

interface Props<Data, Variables> {
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
}

/**
 * Shows the query of a view as a curl command and as GraphQL, so that visitors can request the same data from the API.
 */
export function AsRequest<Data, Variables>({ document, variables }: Props<Data, Variables>) {
  const curl = toCurl(String(document), variables);
  return (
    <details class="request">
      <summary>API request</summary>
      <p>
        All numbers above come from one query. Set <code>SIGHTLINE_KEY</code> to your key and paste this into
        a terminal.
      </p>
      <Copy text={curl} label="Copy the curl line" />
      <pre tabIndex={0}>{curl}</pre>
    </details>
  );
}

/**
 * Returns a curl command that downloads a file.
 * @param path the path of the file, without the leading slash
 */
export function curlFor(path: string): string {
  return `curl --fail --compressed --remote-header-name --remote-name -H "Authorization: Bearer $SIGHTLINE_KEY" '${toUrl(path)}'`;
}

function toUrl(path: string): string {
  return serviceUrl(path).replaceAll("'", '%27');
}

function toCurl(query: string, variables: unknown): string {
  const body = escapedJson(JSON.stringify({ query: query.trim().replace(/\s+/g, ' '), variables }));
  return [
    `curl ${toUrl('graphql')} \\`,
    `  -H "Authorization: Bearer $SIGHTLINE_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
