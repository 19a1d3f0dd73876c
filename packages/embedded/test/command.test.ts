import { describe, expect, it } from 'vitest';
import { firstError, startError } from '../src/command.ts';

describe('the reason of a failed PostgreSQL program', () => {
  it.each([
    ['a fatal error', 'LOG:  starting\nFATAL:  no space left\nLOG:  shutting down\n', 'no space left'],
    [
      'a panic',
      'LOG:  starting\nPANIC:  could not locate a valid checkpoint\nLOG:  aborted\n',
      'could not locate a valid checkpoint',
    ],
    [
      'an error of initdb',
      'initdb: error: directory "/x" exists but is not empty\ninitdb: hint: Remove it.\n',
      'directory "/x" exists but is not empty',
    ],
    [
      'a line with a time',
      '2026-03-10 15:30:00.000 UTC [7] FATAL:  role "x" does not exist',
      'role "x" does not exist',
    ],
    ['the first of several errors', 'FATAL:  one\nPANIC:  two', 'one'],
    ['the last line if none is an error', 'something\nelse: went wrong\n', 'went wrong'],
    ['a line without a prefix', 'killed\n', 'killed'],
  ])('is read from %s', (_, output, reason) => {
    expect(firstError(output)).toBe(reason);
  });

  it.each(['', '\n', 'FATAL:  '])('is said to be missing in %j', output => {
    expect(firstError(output)).toBe('it gave no reason');
  });
});

describe('the error of a program that does not start', () => {
  it('names the system if the loader of the program is missing', () => {
    const missing = startError(Object.assign(new Error('spawn /x ENOENT'), { code: 'ENOENT' }));
    expect(missing.message).toMatch(/DATABASE_URL/);
    const refused = startError(Object.assign(new Error('spawn /x EACCES'), { code: 'EACCES' }));
    expect(refused.message).toBe('The embedded PostgreSQL does not start: spawn /x EACCES.');
  });
});
