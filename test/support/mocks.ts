import { type SetupServer, setupServer } from 'msw/node';
import { afterAll, beforeAll } from 'vitest';

/** Handles the requests of this test file in place of a server, once its tests have added handlers. */
export function mockServer(): SetupServer {
  const mocks = setupServer();
  beforeAll(() => mocks.listen({ onUnhandledRequest: 'bypass' }));
  afterAll(() => mocks.close());
  return mocks;
}
