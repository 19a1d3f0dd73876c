import type { Answer, TestService } from './service.ts';

export interface Asked {
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
  { headers, ...parameters }: Asked = {},
): Promise<Answer> {
  return service.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, ...parameters }),
  });
}

/** The same query as a GET. */
export function askByGet(
  service: TestService,
  key: string,
  query: string,
  { headers, operationName, variables }: Asked = {},
): Promise<Answer> {
  const parameters = new URLSearchParams({
    query,
    ...(operationName && { operationName }),
    ...(variables && { variables: JSON.stringify(variables) }),
  });
  return service.get(`/graphql?${parameters}`, key, headers);
}

/** The data of a query that must not fail. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
export async function data(service: TestService, key: string, query: string, asked?: Asked): Promise<any> {
  const { status, body } = await ask(service, key, query, asked);
  if (status !== 200 || body.errors) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}
