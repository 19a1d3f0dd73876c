import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openRegular } from './regular-file.ts';

/** Another process watches the folder. */
export class AlreadyWatched extends Error {
  override name = 'AlreadyWatched';

  constructor(folder: string, owner: string) {
    super(`${folder} is watched already, by process ${owner}`);
  }
}

/** Milliseconds after which two that take over at once can see each other. */
const MOMENT = 200;

/**
 * Keeps others from watching the folder, until what it answers with is called. A lock whose process has ended is taken
 * over.
 * @throws {AlreadyWatched}
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.sightline-watch');
  const own = `${process.pid} ${hostname()} ${await startOf(process.pid)}`;
  if (!(await create(path, own))) {
    const owner = await ownerIn(path).catch(() => '');
    if (await isAlive(owner)) throw new AlreadyWatched(folder, owner.split(' ', 2).join(' on '));
    await rename(path, `${path}.${process.pid}`).catch(() => {});
    await rm(`${path}.${process.pid}`, { force: true });
    if (!(await create(path, own))) throw new AlreadyWatched(folder, await ownerIn(path));
    await setTimeout(MOMENT);
    if ((await ownerIn(path)) !== own) throw new AlreadyWatched(folder, 'that has just begun');
  }
  return () => rm(path, { force: true });
}

async function ownerIn(path: string): Promise<string> {
  await using file = await openRegular(path);
  return await file.readFile('utf8');
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o644);
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The lock of another host holds, since its processes cannot be seen. An empty one is of a process that was killed
 * while it wrote.
 */
async function isAlive(owner: string): Promise<boolean> {
  const [pid = '', host = '', start = ''] = owner.split(' ');
  if (host === '') return false;
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return start === (await startOf(Number(pid)));
}

/**
 * When the process started, by the system's count: another one may have got its number since. '' where it is not
 * known.
 */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
