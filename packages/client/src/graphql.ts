import { refusal, SightlineError } from './error.ts';
import type { Options } from './types.ts';

/**
 * A document with the type of its answer, as printed by code generators: `TypedDocumentNode` or `TypedDocumentString`.
 */
export interface TypedDocument<Result, Variables> {
  /** Exists for TypeScript only. */
  __apiType?: (variables: Variables) => Result;
  /** `hash` is the SHA-256 of the text. */
  __meta__?: Readonly<Record<string, unknown>> | undefined;
  /** Where `gql` and `parse` store the text of a document. */
  loc?: { readonly source: { readonly body: string } } | undefined;
}

export interface GraphQLOptions extends Options {
  /** Error codes for which the client does not throw, such as `FORBIDDEN`. The affected fields are null. */
  allow?: readonly string[];
}

export type SendGraphQL = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables> | string,
  variables: Variables,
  options?: GraphQLOptions,
) => Promise<Result>;

/** Posts the body of a request, and returns the whole response. */
export type Post = (body: object, options: Options) => Promise<Response>;

/** The codes of a service that does not know the hash of a document. */
const UNLISTED = ['PERSISTED_QUERY_NOT_SUPPORTED', 'PERSISTED_QUERY_NOT_FOUND'];

interface GraphQLError {
  message: string;
  extensions?: { code?: string };
}

interface GraphQLBody {
  data?: unknown;
  errors?: readonly GraphQLError[] | null;
}

/** Sends documents by hash, and by text if the service does not list them. */
export function createGraphQL(post: Post): SendGraphQL {
  const unlisted = new Set<string>();

  async function send(hash: string | undefined, text: string | undefined, variables: object, own: Options) {
    if (hash !== undefined && !unlisted.has(hash)) {
      const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
      const answer = await readAnswer(await post({ extensions, variables }, own));
      if (text === undefined || !isUnlisted(answer)) return answer;
      unlisted.add(hash);
    }
    return readAnswer(await post({ query: text, variables }, own));
  }

  return async <Result>(
    document: unknown,
    variables: object,
    { allow = [], ...own }: GraphQLOptions = {},
  ) => {
    const [hash, text] = [getHash(document), getText(document)];
    if (hash === undefined && text === undefined)
      throw new SightlineError('The document has neither a text nor a hash: pass its text', 0);
    const { response, body } = await send(hash, text, variables, own);
    const error = listErrors(body).find(({ extensions }) => !allow.includes(extensions?.code ?? ''));
    if (error) throw refusal(response, { error: error.message }, error.extensions?.code);
    if (!response.ok || !body?.data) throw refusal(response, body);
    return body.data as Result;
  };
}

interface Answer {
  response: Response;
  body: GraphQLBody | undefined;
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = (await response.json().catch(() => undefined)) as GraphQLBody | undefined;
  return { response, body };
}

/** Returns the errors of a response. That of a proxy can have anything in their place. */
function listErrors(body: GraphQLBody | undefined): readonly GraphQLError[] {
  const errors: readonly GraphQLError[] | null | undefined = body?.errors;
  return Array.isArray(errors) ? errors.filter(error => error !== null) : [];
}

const isUnlisted = ({ body }: Answer) => UNLISTED.includes(listErrors(body)[0]?.extensions?.code ?? '');

function getHash(document: unknown): string | undefined {
  const hash = (document as TypedDocument<unknown, unknown>).__meta__?.hash;
  return typeof hash === 'string' ? hash : undefined;
}

/** Documents as strings are texts, or objects of a class that extends `String`. */
function getText(document: unknown): string | undefined {
  if (typeof document === 'string' || document instanceof String) return String(document);
  return (document as TypedDocument<unknown, unknown>).loc?.source.body;
}
