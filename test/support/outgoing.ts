import { syncBuiltinESMExports } from 'node:module';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll } from 'vitest';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * No test asks anybody outside this machine: an HTTP request that would leave it
 * fails, and it is printed where it wanted to go. Tests that mock a server add its handlers.
 */
export const outgoing = setupServer();

beforeAll(() => {
  outgoing.listen({
    onUnhandledRequest({ url }, print) {
      if (LOOPBACK.test(new URL(url).hostname)) return;
      print.error();
      // Which is only printed: without this it would go out.
      throw Response.error();
    },
  });
  // For those who imported single functions of node:http.
  syncBuiltinESMExports();
});
afterAll(() => outgoing.close());
