import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { summarize } from './support/quiet-reporter.ts';

/** A test file in the given state, with tests in the given states, which may be followed by tags. */
function createModule(state: string, ...tests: string[]): TestModule {
  const allTests = () =>
    tests.map(test => {
      const [result, ...tags] = test.split(' ');
      return { result: () => ({ state: result }), tags };
    });
  return { state: () => state, children: { allTests } } as unknown as TestModule;
}

it('counts the tests of a complete run', () => {
  const modules = [createModule('passed', 'passed', 'skipped', 'passed'), createModule('failed', 'failed')];
  expect(summarize(modules, [])).toBe('2 passed, 1 failed, 1 skipped');
});

it('names what a lost process did not run', () => {
  const modules = [
    createModule('passed', 'passed'),
    createModule('pending', 'passed', 'pending'),
    createModule('queued'),
  ];
  expect(summarize(modules, [{ message: 'Worker exited unexpectedly' }])).toBe(
    '2 passed, 0 failed, 0 skipped, tests that did not end: 1, test files that did not end: 2, errors outside of tests: 1',
  );
});

it('counts files that failed outside of their tests', () => {
  const modules = [
    createModule('failed', 'passed'),
    createModule('failed'),
    createModule('failed', 'failed'),
  ];
  expect(summarize(modules, [])).toBe(
    '1 passed, 1 failed, 0 skipped, test files that failed outside of their tests: 2',
  );
});

it('counts what a tag leaves out separately from what is skipped', () => {
  const modules = [
    createModule('passed', 'passed', 'skipped', 'skipped slow'),
    createModule('skipped', 'skipped slow'),
  ];
  expect(summarize(modules, [], '!slow')).toBe(
    '1 passed, 0 failed, 1 skipped, left out with --tags-filter !slow: 2',
  );
  const others = [createModule('passed', 'passed slow', 'skipped')];
  expect(summarize(others, [], 'slow')).toBe(
    '1 passed, 0 failed, 0 skipped, left out with --tags-filter slow: 1',
  );
});
