import { createHash } from 'node:crypto';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { createRequestError, refusal } from './errors.ts';
import { CLIENT_DOCUMENTS, PAGE_DOCUMENTS } from './trusted-documents.generated.ts';

/** The accepted documents: `trusted` are those of the list. */
export type AcceptedDocuments = 'any' | 'trusted';

const DOCUMENTS = new Map(Object.entries({ ...CLIENT_DOCUMENTS, ...PAGE_DOCUMENTS }));

/** Runs documents of the list by their hash, and refuses all others if `accepted` is `trusted`. */
export function useTrustedDocuments(accepted: AcceptedDocuments): Plugin[] {
  const isLimited = accepted === 'trusted';
  const persisted = usePersistedOperations({
    allowArbitraryOperations: !isLimited,
    getPersistedOperation: hash => DOCUMENTS.get(hash) ?? null,
    customErrors: {
      notFound: isLimited ? refuseUntrusted : refuseHash,
      keyNotFound: ({ params }) => (hasPersistedQuery(params) ? refuseHash() : refuseEmpty()),
      persistedQueryOnly: refuseUntrusted,
    },
  });
  return isLimited ? [useListedTexts(), persisted] : [persisted];
}

/** The text of a listed document is accepted like its hash. */
const useListedTexts = (): Plugin => ({
  onParams({ params, setParams }) {
    if (typeof params.query !== 'string') return;
    const sha256Hash = createHash('sha256').update(params.query).digest('hex');
    if (!DOCUMENTS.has(sha256Hash)) return;
    const extensions = { ...params.extensions, persistedQuery: { version: 1, sha256Hash } };
    setParams({
      operationName: params.operationName,
      variables: params.variables,
      extensions,
    } as GraphQLParams);
  },
});

const hasPersistedQuery = ({ extensions }: GraphQLParams) =>
  typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;

/** On this error, clients send the text instead of the hash, and no hash again. */
const refuseHash = () =>
  refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED', { http: { status: 400 } });

const refuseUntrusted = () =>
  refusal(
    'This service runs only documents on its list: send one of @sightline/client, or ask the operator to set GRAPHQL_DOCUMENTS=any.',
    'DOCUMENT_NOT_TRUSTED',
    { http: { status: 400 } },
  );

const refuseEmpty = () => createRequestError('Must provide query string.');
