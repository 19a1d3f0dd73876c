import { fromOpenApi } from '@msw/source/open-api';
import type { RequestHandler } from 'msw';
import { documentFiles } from '../../src/docs/document.ts';

/** Where the mock answers: nowhere in reality. */
export const MOCK_URL = 'https://sightline.example';

/** A server made from the description alone, as it is served: with `?response=404`, the example of that status. */
export function mockHandlers(): Promise<RequestHandler[]> {
  return fromOpenApi(JSON.parse(documentFiles(MOCK_URL).get('/openapi.json')!.read()));
}
