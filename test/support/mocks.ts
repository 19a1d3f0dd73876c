import { type SetupServer, setupServer } from 'msw/node';
import { afterAll, beforeAll } from 'vitest';

/** Answers requests of this file instead of a server, once its tests have added handlers. */
export function mockServer(): SetupServer {
  const mocks = setupServer();
  beforeAll(() => mocks.listen({ onUnhandledRequest: 'bypass' }));
  afterAll(() => mocks.close());
  return mocks;
}
