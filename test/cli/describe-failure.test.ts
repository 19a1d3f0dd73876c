import { expect, it } from 'vitest';
import { ConnectionLost, ServerError } from '../../packages/pg-client/src/index.ts';
import { describeFailure } from '../../src/cli/describe-failure.ts';

it('describeFailure keeps a server message on one line and replaces control characters', () => {
  const error = new ServerError('SERROR\0C42501\0Mno\nWarning: all is lost\r\u001b[2J\u0007\u202e\0\0');
  expect(describeFailure(error)).toBe(
    'The database refuses: no\ufffdWarning: all is lost\ufffd\ufffd[2J\ufffd\ufffd',
  );
});

it.each([
  ['ECONNREFUSED', 'The database cannot be reached: no'],
  ['ECONNRESET', 'The database cannot be reached: no'],
  ['ENOTFOUND', 'The database cannot be reached: no'],
  ['EAI_AGAIN', 'The database cannot be reached: no'],
  ['ETIMEDOUT', 'The database cannot be reached: no'],
  ['EHOSTUNREACH', 'The database cannot be reached: no'],
  ['ENETUNREACH', 'The database cannot be reached: no'],
  ['CONNECT_TIMEOUT', 'The database cannot be reached: no'],
  ['CONNECTION_CLOSED', 'The database cannot be reached: no'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The database presents an untrusted certificate: no'],
  ['42501', 'The database refuses: no'],
  ['57P03', 'The database refuses: no'],
  ['EPIPE', 'no'],
  ['EPERM', 'no'],
  ['ENOENT', 'no'],
  ['ENOSPC', 'no'],
])('describeFailure says for the code %s: %s', (code, sentence) => {
  expect(describeFailure(Object.assign(new Error('no'), { code }))).toBe(sentence);
});

it('describeFailure describes a lost connection, and whatever else is thrown', () => {
  expect(describeFailure(new ConnectionLost('gone'))).toBe('The database cannot be reached: gone');
  expect(describeFailure('a text')).toBe('a text');
});
