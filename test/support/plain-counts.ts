import type { Reporter, TestModule } from 'vitest/node';

/** Prints the counts of a run on a line of plain text, for programs that do not read Vitest's own summary. */
export default class PlainCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap(module =>
      [...module.children.allTests()].map(test => test.result().state),
    );
    const count = (state: string) => states.filter(each => each === state).length;
    process.stdout.write(
      `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`,
    );
  }
}
