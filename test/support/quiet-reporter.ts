import type { SerializedError } from 'vitest';
import { DefaultReporter, type TestCase, type TestModule, type TestRunEndReason } from 'vitest/node';

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
    const tests = modules.flatMap(listTests);
    const results = tests.map(test => ({ name: test.fullName, ...test.result() }));
    for (const { name, ...result } of results)
      if (result.state === 'skipped' && 'note' in result && result.note)
        this.log(`skipped: ${name} (${result.note})`);
    this.log(summarize(modules, errors, this.ctx.config.tagsFilter?.[0]));
  }
}

/**
 * The counts in plain text. A run that lost a process must not look complete.
 * @param filter the tag that was asked for, or `!` and the tag that was left out
 */
export function summarize(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
  filter?: string,
): string {
  const tests = modules.flatMap(listTests);
  const chosen = tests.filter(test => isChosen(test, filter));
  const count = (state: string) => chosen.filter(test => test.result().state === state).length;
  const files = (is: (module: TestModule) => boolean) => modules.filter(is).length;
  const counts: [text: string, count: number][] = [
    ['tests that did not end', count('pending')],
    ['test files that did not end', files(module => !ENDED.includes(module.state()))],
    ['test files that failed outside of their tests', files(hasFailedOutside)],
    ['errors outside of tests', errors.length],
    [`left out with --tags-filter ${filter}`, tests.length - chosen.length],
  ];
  return [
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
    ...counts.filter(([, count]) => count > 0).map(([text, count]) => `${text}: ${count}`),
  ].join(', ');
}

const ENDED = ['passed', 'failed', 'skipped'];

const listTests = (module: TestModule) => [...module.children.allTests()];

/** As when a hook fails, or the file cannot be read. */
function hasFailedOutside(module: TestModule): boolean {
  return module.state() === 'failed' && !listTests(module).some(test => test.result().state === 'failed');
}

function isChosen({ tags }: TestCase, filter = ''): boolean {
  return filter.startsWith('!') ? !tags.includes(filter.slice(1)) : !filter || tags.includes(filter);
}
