import { createVitest, type TestModule } from 'vitest/node';

/** A test run with one file replaced. */
export interface MutationRun {
  /** The path and replaced text of the file. Without it, the tests run unchanged. */
  mutant?: { path: string; text: string };
  tests: readonly string[];
}

/** The first failed test, `file > name`. */
export type Ran = { failed: string | undefined };

/** Runs tests repeatedly on behalf of the parent process. Files on disk are not changed. */
let mutant: MutationRun['mutant'];
let failed: string | undefined;

/** Vitest's list of failures also contains those of previous runs. */
function note(module: TestModule): void {
  if (module.state() !== 'failed') return;
  const [first] = module.children.allTests('failed');
  failed ??= `${module.relativeModuleId} > ${first?.name ?? 'as a whole'}`;
}

const vitest = await createVitest(
  'test',
  {
    watch: false,
    reporters: [{ onTestModuleEnd: note }],
    bail: 1,
    maxWorkers: 2,
    testTimeout: 60_000,
    // Disabled, since the cache identifies files by their content on disk.
    experimental: { fsModuleCache: false },
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: id => (id === mutant?.path ? mutant.text : undefined),
      },
    ],
  },
);
const specifications = await vitest.globTestSpecifications();

async function run({ mutant: next, tests }: MutationRun): Promise<Ran> {
  if (mutant) vitest.invalidateFile(mutant.path);
  mutant = next;
  if (mutant) vitest.invalidateFile(mutant.path);
  const chosen = specifications.filter(({ moduleId }) => tests.some(test => moduleId.endsWith(`/${test}`)));
  failed = undefined;
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  return { failed: failed ?? (unhandledErrors.length > 0 ? 'an error outside of tests' : undefined) };
}

process.on('message', async (next: MutationRun) => process.send?.(await run(next)));
for (const end of ['SIGTERM', 'disconnect'])
  process.once(end, async () => {
    await vitest.close();
    process.exit();
  });
process.send?.('ready');
