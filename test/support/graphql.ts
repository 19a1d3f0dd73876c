import type { Answer, TestService } from './service.ts';

export interface GraphqlOptions {
  variables?: Record<string, unknown>;
  operationName?: string;
  extensions?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A query as most clients send it. */
export function ask(
  service: TestService,
  key: string,
  query: string,
  { headers, ...parameters }: GraphqlOptions = {},
): Promise<Answer> {
  return service.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, ...parameters }),
  });
}

/** The same query as a GET request. */
export function askByGet(
  service: TestService,
  key: string,
  query: string,
  { headers, operationName, variables }: GraphqlOptions = {},
): Promise<Answer> {
  const parameters = new URLSearchParams({
    query,
    ...(operationName && { operationName }),
    ...(variables && { variables: JSON.stringify(variables) }),
  });
  return service.get(`/graphql?${parameters}`, key, headers);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
type Data = any;

/** Returns the data of a query that must not fail. */
export async function data(
  service: TestService,
  key: string,
  query: string,
  options?: GraphqlOptions,
): Promise<Data> {
  const { status, body } = await ask(service, key, query, options);
  if (status !== 200 || body.errors) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}
