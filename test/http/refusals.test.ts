import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { ListenFailed, listen, requireFreePort } from '../../src/http/listen.ts';
import { errorReply, Refusal, type RefusalName } from '../../src/http/respond.ts';

it.each<[RefusalName, number, string]>([
  ['malformed', 400, 'Bad request'],
  ['malformedCoding', 400, 'The body is not compressed as Content-Encoding says'],
  ['unauthorized', 401, 'Unauthorized'],
  ['noPerson', 401, 'The proxy identified no user: sign in there, and open the page through it'],
  ['foreignAccount', 403, 'You have no access to this account: PAGE_LOGIN_ACCOUNTS defines the access'],
  [
    'foreignDocument',
    403,
    'Signing in through the proxy allows only the documents of the page: use /graphql with a key',
  ],
  [
    'noAccounts',
    403,
    'You are signed in, but have no access to any account: PAGE_LOGIN_ACCOUNTS defines the access',
  ],
  ['noApiAccess', 403, 'API access requires a Business plan or higher'],
  ['notFound', 404, 'Not found'],
  ['methodNotAllowed', 405, 'Method not allowed'],
  ['timedOut', 408, 'Request timeout'],
  ['bodyTooLarge', 413, 'Request body too large'],
  ['targetTooLong', 414, 'Request target too long'],
  ['unsupportedCoding', 415, 'Unsupported Content-Encoding: send gzip, deflate, br or none'],
  ['tooManyRequests', 429, 'Too many requests'],
  ['headersTooLarge', 431, 'Request header fields too large'],
  ['unforeseen', 500, 'Internal server error'],
  ['unavailable', 503, 'Service unavailable'],
])('the refusal %s has the status %d and its own message', (name, status, error) => {
  expect(errorReply(new Refusal(name, { Allow: 'GET' }))).toEqual({
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Allow: 'GET',
    },
    body: JSON.stringify({ error }),
  });
});

it('a port that cannot be opened is refused with its reason and the setting to change', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const taken = { host: '127.0.0.1', port };
  const inUse = `Port ${port} of 127.0.0.1 is in use: stop the process that listens there, or choose another port with`;
  await expect(requireFreePort(taken)).rejects.toThrow(new ListenFailed(`${inUse} PORT.`));
  await expect(listen(createServer(), { ...taken, setting: '--port' })).rejects.toThrow(
    new ListenFailed(`${inUse} --port.`),
  );
  other.close();
  await expect(listen(createServer(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    new ListenFailed('192.0.2.1 is not an address of this machine: choose another with HOST.'),
  );
});
