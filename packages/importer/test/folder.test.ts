import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenFolder, SharedFolder } from '../src/spool/folder.ts';

const [OWN, OTHER] = [4242, 4343];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-folder-'));
  vi.spyOn(process, 'getuid').mockReturnValue(OWN);
  vi.spyOn(process, 'getgid').mockReturnValue(OWN);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const FOLDERS: [description: string, mode: number, user: number, group: number, isAccepted: boolean][] = [
  ['of its own that only it can write', 0o755, OWN, OTHER, true],
  ['of its own that its private group can write', 0o770, OWN, OWN, true],
  ['of its own that the group of root can write', 0o770, OWN, 0, true],
  ['of its own that another group can write', 0o720, OWN, OTHER, false],
  ['of its own that everyone can write', 0o702, OWN, OWN, false],
  ['of root', 0o755, 0, OTHER, true],
  ['of root that everyone can write', 0o702, 0, 0, false],
  ['of root that the group of the process can write', 0o770, 0, OWN, false],
  ['of another user', 0o700, OTHER, OWN, false],
  ['of another user that the private group of that user can write', 0o770, OTHER, OTHER, false],
];

// Only root can give folders away.
it.runIf(process.geteuid?.() === 0).each(FOLDERS)(
  'a process opens a folder only if no other user can write to it: a folder %s',
  async (_, mode, user, group, isAccepted) => {
    await chown(folder, user, group);
    await chmod(folder, mode);
    const opening = OpenFolder.open(folder, false);
    if (isAccepted) await (await opening)[Symbol.asyncDispose]();
    else await expect(opening).rejects.toThrow(new SharedFolder(folder));
    await (await OpenFolder.open(folder, true))[Symbol.asyncDispose]();
    expect(await opening.then(() => true).catch(() => false)).toBe(isAccepted);
  },
);

it.runIf(process.geteuid?.() === 0)(
  'a group with the id of the user is private only if it is the group of the process',
  async () => {
    await chown(folder, OWN, OWN);
    await chmod(folder, 0o770);
    vi.mocked(process.getgid!).mockReturnValue(OTHER);
    await expect(OpenFolder.open(folder, false)).rejects.toThrow(new SharedFolder(folder));
  },
);
