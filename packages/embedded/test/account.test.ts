import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder.ts';
import { canReach, handOver, isNameless, NOBODY, serverAccount } from '../src/account.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const OWN = { uid: 60_754, gid: 60_754 };

it('an ordinary user runs the server under its own account', () => {
  const user = vi.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(1000);
  onTestFinished(() => void user.mockRestore());
  expect(serverAccount(folder)).toBeUndefined();
});

it('only the dedicated user has no name', () => {
  expect([OWN, NOBODY, { uid: 0, gid: OWN.gid }].map(isNameless)).toEqual([true, false, false]);
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('root', () => {
  it.each([
    ['the owner of the folder', 1, expect.objectContaining({ uid: 1, gid: 1, name: 'daemon' })],
    ['a dedicated user for a folder of root', 0, OWN],
    ['a dedicated user for a folder of "nobody"', NOBODY.uid, OWN],
    ['a dedicated user for a folder of an unknown user', 59_999, OWN],
  ])('runs the server as %s', (_, owner, account) => {
    chownSync(folder, owner, owner);
    expect(serverAccount(folder)).toEqual(account);
    expect(serverAccount(join(folder, 'missing', 'data'))).toEqual(account);
  });

  it('hands over a folder with its content, but not the targets of links, unless it has been handed over', () => {
    const [data, outside] = [join(folder, 'data'), join(folder, 'outside')];
    mkdirSync(join(data, 'base', '1'), { recursive: true });
    writeFileSync(join(data, 'base', '1', 'file'), '');
    writeFileSync(outside, '');
    symlinkSync(outside, join(data, 'link'));
    const owners = () =>
      ['data', 'data/base', 'data/base/1/file', 'data/link', 'outside'].map(name => {
        const { uid, gid } = lstatSync(join(folder, name));
        return `${uid} ${gid}`;
      });
    handOver(data, { uid: 1, gid: 2 });
    expect(owners()).toEqual(['1 2', '1 2', '1 2', '1 2', '0 0']);
    handOver(data, { uid: 1, gid: 3 });
    expect(owners()).toEqual(['1 2', '1 2', '1 2', '1 2', '0 0']);
    handOver(data, { uid: 3, gid: 3 });
    expect(owners()).toEqual(['3 3', '3 3', '3 3', '3 3', '0 0']);
  });

  it('knows which folders and programs another user can use', () => {
    const daemon = { uid: 1, gid: 1 };
    expect([canReach('/bin/sh', daemon), canReach('/etc/passwd', daemon)]).toEqual([true, false]);
    mkdirSync(join(folder, 'inner'), { mode: 0o755 });
    chmodSync(folder, 0o700);
    expect(canReach(join(folder, 'inner'), daemon)).toBe(false);
    chownSync(folder, 1, 1);
    expect(canReach(join(folder, 'inner'), daemon)).toBe(true);
  });
});
