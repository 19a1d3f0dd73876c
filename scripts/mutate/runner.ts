import { createVitest, type TestModule } from 'vitest/node';

/** One run of tests with a file as it is not. */
export interface Run {
  /** The file's path and the text that it has; left out for tests of what is there. */
  mutant?: { path: string; text: string };
  tests: readonly string[];
}

/** The first test that failed, `file > name`. */
export type Ran = { failed: string | undefined };

/** Runs tests again and again for the process that started it. Files on the disk stay as they are. */
let mutant: Run['mutant'];
let failed: string | undefined;

/** Vitest's own list of failures still has those of the runs before. */
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
    // It would know a file by the text that it has on the disk.
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

async function run({ mutant: next, tests }: Run): Promise<Ran> {
  if (mutant) vitest.invalidateFile(mutant.path);
  mutant = next;
  if (mutant) vitest.invalidateFile(mutant.path);
  const chosen = specifications.filter(({ moduleId }) => tests.some(test => moduleId.endsWith(`/${test}`)));
  failed = undefined;
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  return { failed: failed ?? (unhandledErrors.length > 0 ? 'an error outside of tests' : undefined) };
}

process.on('message', async (next: Run) => process.send?.(await run(next)));
for (const end of ['SIGTERM', 'disconnect'])
  process.once(end, async () => {
    await vitest.close();
    process.exit();
  });
process.send?.('ready');
