import { fromOpenApi } from '@msw/source/open-api';
import type { RequestHandler } from 'msw';
import { contract } from './contract.ts';

/** Where the mock answers: nowhere in reality. */
export const MOCK_URL = 'https://sightline.example';

/** A server made from openapi.yaml alone, which answers with its examples: with `?response=404`, that of the status. */
export async function mockHandlers(): Promise<RequestHandler[]> {
  // The first that fits answers, so "/v1/reports/csp" must come before "/v1/reports/{type}".
  const paths = Object.entries(contract.paths).sort(([a], [b]) => parameters(a) - parameters(b));
  const document = { ...contract, servers: [{ url: MOCK_URL }], paths: Object.fromEntries(paths) };
  const handlers = await fromOpenApi(structuredClone(document) as never);
  // There is one for each status, and all of a path are the same.
  return [...new Map(handlers.map(handler => [handler.info.header, handler])).values()];
}

function parameters(path: string): number {
  return path.split('{').length;
}
