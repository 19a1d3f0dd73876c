import type { SerializedError } from 'vitest';
import { DefaultReporter, type TestModule, type TestRunEndReason } from 'vitest/node';

/**
 * Prints failures, the reasons for skipped tests, and a summary. The last line has the counts in plain text, for
 * programs that do not parse Vitest's summary.
 */
export default class QuietReporter extends DefaultReporter {
  /** All failures are printed at the end. */
  override onTestModuleEnd(): void {}

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd([...modules], [...errors], reason);
    const tests = modules.flatMap(module => [...module.children.allTests()]);
    const results = tests.map(test => ({ name: test.fullName, ...test.result() }));
    for (const { name, ...result } of results)
      if (result.state === 'skipped' && 'note' in result && result.note)
        this.log(`skipped: ${name} (${result.note})`);
    this.log(summarize(modules, errors));
  }
}

/** The counts in plain text. A run that lost a process must not look complete. */
export function summarize(modules: readonly TestModule[], errors: readonly SerializedError[]): string {
  const states = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state));
  const count = (state: string) => states.filter(each => each === state).length;
  const files = modules.filter(module => !['passed', 'failed', 'skipped'].includes(module.state())).length;
  return [
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
    count('pending') ? `${count('pending')} did not end` : [],
    files ? `test files that did not end: ${files}` : [],
    errors.length ? `errors outside of tests: ${errors.length}` : [],
  ]
    .flat()
    .join(', ');
}
