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
    const count = (state: string) => results.filter(result => result.state === state).length;
    this.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  }
}
