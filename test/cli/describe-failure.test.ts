import { expect, it } from 'vitest';
import { ServerError } from '../../packages/pg-client/src/index.ts';
import { describeFailure } from '../../src/cli/describe-failure.ts';

it('describeFailure keeps a server message on one line and replaces control characters', () => {
  const error = new ServerError('SERROR\0C42501\0Mno\nWarning: all is lost\r\u001b[2J\u0007\u202e\0\0');
  expect(describeFailure(error)).toBe(
    'The database refuses: no\ufffdWarning: all is lost\ufffd\ufffd[2J\ufffd\ufffd',
  );
});
