import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRemoteFilters } from '../src/collect/ask-filters.ts';

const ANSWERS: Record<string, object> = {
  '/v1/filters': {
    global: { sites: [], removeReferrer: false, removeQueryString: false },
    advanced: {
      browserExtensions: true,
      unactionableReports: false,
      inlineEval: false,
      blockedHosts: [],
      blockedSchemes: [],
      pagePaths: [],
    },
    samplingRates: { csp: 100 },
  },
  '/v1/quota': { used: 7, limit: 100 },
};

let server: Server;
let url: string;
/** Whether the service accepts the key. */
let isAccepted = true;
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = isAccepted ? ANSWERS[request.url!] : { error: 'Unauthorized' };
    response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

it('the collector keeps the filters of the last answer, and reports each problem once until it is over', async () => {
  const problems: string[] = [];
  const filters = createRemoteFilters(url, new Map([['acme', 'key']]), account => problems.push(account));
  expect(filters.of('acme')).toBeUndefined();
  await filters.ask();
  const report = { page: 'https://a.example/', blocked: '', source: 'extension' } as never;
  expect(filters.of('acme')?.drops(report)).toBe(true);
  expect(filters.getQuota('acme')).toMatchObject({ used: 7, limit: 100 });
  const reported: number[] = [];
  for (const accepted of [false, false, true, false, false]) {
    isAccepted = accepted;
    await filters.ask();
    reported.push(problems.length);
    expect(filters.getQuota('acme')).toMatchObject({ used: 7, limit: 100 });
  }
  expect(reported).toEqual([1, 1, 1, 2, 2]);
});
