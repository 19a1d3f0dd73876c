import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openRegular } from '@sightline/feed/read';

/** Another process is watching the folder. */
export class AlreadyWatched extends Error {
  override name = 'AlreadyWatched';

  constructor(folder: string, owner: string) {
    super(`${folder} is already watched by process ${owner}`);
  }
}

/** Delay in milliseconds before a process checks that no other process has taken over the lock at the same time. */
const MOMENT = 200;

/**
 * Locks the folder until the returned function is called. Takes over the lock of a process that has ended.
 * @throws {AlreadyWatched}
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.sightline-watch');
  const own = `${process.pid} ${hostname()} ${await getStart(process.pid)}`;
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
 * Checks whether the owner of a lock still runs. Processes of other hosts are not visible, so their locks are
 * respected. An empty lock file belongs to a process that was killed while writing it.
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
  return start === (await getStart(Number(pid)));
}

/** Returns the start time of a process in clock ticks, since process ids are reused, or '' if unknown. */
async function getStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
