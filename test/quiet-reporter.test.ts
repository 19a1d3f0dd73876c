import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { summarize } from './support/quiet-reporter.ts';

/** A test file in the given state, with tests in the given states. */
function createModule(state: string, ...tests: string[]): TestModule {
  const allTests = () => tests.map(test => ({ result: () => ({ state: test }) }));
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
    '2 passed, 0 failed, 0 skipped, 1 did not end, test files that did not end: 2, errors outside of tests: 1',
  );
});
