import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MS_PER_DAY } from '@sightline/reports';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of compiled services. Each is named after the digest of its sources. */
const CACHE = join(project, 'node_modules/.cache/sightline');

/** Programs that tests start in addition to the service. */
const FURTHER = ['test/support/embedded-process.ts', 'test/support/embedded-start.ts'];

/** Files that are installed along with the compiled ones. */
const INSTALLED = ['bin', 'package.json'];

/** Everything that determines the compiled files. The lock file stands for the compiler and the packages. */
const SOURCES = [
  ...INSTALLED,
  'src',
  'schema',
  'sql',
  ...readdirSync(join(project, 'packages')).map(name => `packages/${name}/src`),
  'build.ts',
  'openapi.yaml',
  'package-lock.json',
  'tsconfig.json',
  'scripts/bundle.ts',
  ...FURTHER,
];

/** Milliseconds after which an unused build is removed. */
const UNUSED = MS_PER_DAY;

/**
 * Compiles the service like `npm run build`, but only if its sources have changed. A compiled service starts in a third
 * of the time.
 * @returns the folder, which has the layout of the installed package
 */
export async function compileService(): Promise<string> {
  const folder = join(CACHE, computeDigest(SOURCES));
  if (!existsSync(folder)) await compileInto(folder);
  utimesSync(folder, new Date(), new Date());
  removeUnused();
  return folder;
}

async function compileInto(folder: string): Promise<void> {
  // Another test run can be compiling the same sources, so the folder gets its name only when it is complete.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const dist = join(draft, 'dist');
  await run(process.execPath, ['--import', 'tsx', 'build.ts', dist, ...FURTHER], { cwd: project });
  for (const path of INSTALLED) cpSync(join(project, path), join(draft, path), { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}

function computeDigest(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn).sort()) {
    const content = readFileSync(join(project, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesIn(path: string): string[] {
  if (!statSync(join(project, path)).isDirectory()) return [path];
  return readdirSync(join(project, path)).flatMap(name => filesIn(join(path, name)));
}

function removeUnused(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - used > UNUSED) rmSync(folder, { recursive: true, force: true });
  }
}
