import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.generated.ts';

/** A client of the REST API as anybody would make it: from openapi.yaml, with openapi-typescript and openapi-fetch. */
export type RestClient = Client<paths>;

export function createRestClient(baseUrl: string, key: string): RestClient {
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
}
