import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder.ts';
import type { SystemUser } from '../src/account.ts';
import { prepareCluster } from '../src/cluster.ts';
import { firstError, runInitdb, startError } from '../src/command.ts';
import { clearPredecessor, inUse, isRunning, runningPostmaster } from '../src/postmaster.ts';
import { startFailure } from '../src/server.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const IN_USE =
  'The data folder /d is in use by another process: stop that one first, or name another with DATA_DIRECTORY.';

describe('the reason of a failure', () => {
  test.each([
    ['[1] LOG:  starting\n[1] FATAL:  no space\n[1] LOG:  shut down', 'no space'],
    ['[1] LOG:  starting\n[1] PANIC:  could not write\n[1] LOG:  shut down', 'could not write'],
    ['creating ... initdb: error: no space\ninitdb: removing', 'no space'],
    ['[1] FATAL:  first\n[1] PANIC:  second', 'first'],
    ['one\ninitdb: last words\n', 'last words'],
    ['last words', 'last words'],
    ['postgres: last words', 'last words'],
    ['', 'it gave no reason'],
    ['FATAL:  ', 'it gave no reason'],
  ])('is the first error, or the last line: %j', (output, reason) => {
    expect(firstError(output)).toBe(reason);
  });

  test.each([
    ['FATAL:  lock file "postmaster.pid" already exists', IN_USE],
    ['FATAL:  pre-existing shared memory block is still in use', IN_USE],
    ['FATAL:  lock file "postmaster.pid" is empty', IN_USE],
    [
      'FATAL:  the file is empty',
      'The embedded PostgreSQL cannot open its data folder /d: the file is empty. ' +
        'Move the folder away, or name another with DATA_DIRECTORY.',
    ],
  ])('of a start tells whether another server uses the data: %s', (log, message) => {
    expect(startFailure('/d', log).message).toBe(message);
  });

  test.each([
    ['ENOENT', /^This system .* cannot run the embedded PostgreSQL/],
    ['EACCES', /^The embedded PostgreSQL does not start: spawn failed\.$/],
  ])('of a program that cannot be started depends on its code: %s', (code, message) => {
    expect(startError(Object.assign(new Error('spawn failed'), { code })).message).toMatch(message);
  });

  test.each([
    [1, 'The embedded PostgreSQL cannot create its database: no space.'],
    [127, 'cannot run the embedded PostgreSQL'],
  ])('of initdb with exit status %i is named', async (status, message) => {
    const script = `echo "initdb: error: no space" >&2; exit ${status}`;
    await expect(runInitdb('/bin/sh', ['-c', script], undefined)).rejects.toThrow(message);
  });

  test.each(['%s %100000s', '%100000s %s'])('of initdb is found in all of its output: %s', async form => {
    const script = `printf '${form.replaceAll(' ', '\\n')}' "initdb: error: no space" >&2; exit 1`;
    await expect(runInitdb('/bin/sh', ['-c', script], undefined)).rejects.toThrow(
      'The embedded PostgreSQL cannot create its database: no space.',
    );
  });
});

describe.runIf(process.platform !== 'win32')('a new cluster', () => {
  /** Prepares a cluster with a program in place of initdb. `$2` is the folder that it creates. */
  const prepare = (data: string, script: string, account?: SystemUser) => {
    const program = join(folder, 'program', 'bin', 'initdb');
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return prepareCluster(data, { folder: join(folder, 'program'), major: '17' }, account);
  };
  const fill = (path: string) => `mkdir -p ${path}; echo 17 > ${path}/PG_VERSION`;

  test.each([
    ['there is nothing', () => {}],
    ['there is an empty folder', (path: string) => mkdirSync(path)],
    ['there is a link to nothing', (path: string) => symlinkSync('/nowhere', path)],
  ])('is created if %s', async (_, put) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    put(join(data, 'postgresql'));
    expect(await prepare(data, fill('"$2"'))).toMatchObject({ created: true });
    expect(readdirSync(data)).toEqual(['postgresql']);
  });

  test('is left to another process that has created one at the same moment', async () => {
    const data = join(folder, 'data');
    const script = `${fill('"$2"')}; ${fill(join(data, 'postgresql'))}; touch ${data}/postgresql/other`;
    expect(await prepare(data, script)).toMatchObject({ created: false });
    expect(readdirSync(data)).toEqual(['postgresql']);
    expect(existsSync(join(data, 'postgresql', 'other'))).toBe(true);
  });

  test('is private, has a path without links, and replaces drafts of this process and of ended ones', async () => {
    const [data, link] = [join(folder, 'data'), join(folder, 'link')];
    mkdirSync(data);
    symlinkSync(data, link);
    const abandoned = [process.pid, 999_999_999].map(pid => `postgresql.${pid}.new`);
    const others = [
      `postgresql.${process.ppid}.new`,
      'postgresql2.999999999.new',
      'postgresql.999999999.newer',
    ];
    for (const name of [...abandoned, ...others]) mkdirSync(join(data, name, 'base'), { recursive: true });
    const path = join(realpathSync(data), 'postgresql');
    expect(await prepare(link, `test ! -e "$2/base" && ${fill('"$2"')}`)).toEqual({
      folder: path,
      created: true,
    });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(data).sort()).toEqual(['postgresql', ...others].sort());
  });

  test.runIf(process.getuid?.() === 0)(
    'belongs to the account of the server, and is elsewhere if that cannot enter the data folder',
    async () => {
      const data = join(folder, 'data');
      mkdirSync(data, { mode: 0o700 });
      const account = { uid: 60_754, gid: 60_754 };
      const cluster = await prepare(data, `id -u > "$2/maker"; ${fill('"$2"')}`, account);
      onTestFinished(() => rmSync(cluster.folder, { recursive: true }));
      expect(cluster.folder).toMatch(/^\/var\/lib\/sightline\/data-[0-9a-f]{12}$/);
      expect(realpathSync(join(data, 'postgresql'))).toBe(cluster.folder);
      // A user without a name cannot run initdb.
      expect(readFileSync(join(cluster.folder, 'maker'), 'utf8')).toBe('65534\n');
      for (const name of ['.', 'maker', 'PG_VERSION'])
        expect(statSync(join(cluster.folder, name))).toMatchObject(account);
    },
  );

  test('leaves nothing behind if it cannot be created', async () => {
    const data = join(folder, 'data');
    await expect(prepare(data, 'echo "initdb: error: no space" >&2; exit 1')).rejects.toThrow('no space');
    expect(readdirSync(data)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('the files of a server', () => {
  /** Writes the files as a server does. */
  const record = (pid: number | string, socketFolder: string, status = 'ready   ') => {
    const lines = [pid, folder, 1, 5432, socketFolder, '', '0 0', status, ''];
    writeFileSync(join(folder, 'postmaster.pid'), lines.join('\n'));
  };
  /** Starts a process whose arguments contain the folder, as those of a server. */
  const startServer = async () => {
    const child = spawn('sh', ['-c', 'echo started; read end', 'server', folder], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  };
  const options = (starter: number) =>
    writeFileSync(join(folder, 'postmaster.opts'), `postgres "-c" "cluster_name=sightline-${starter}"\n`);

  test('describe it while it runs', async () => {
    const { pid } = await startServer();
    record(pid!, '/tmp/x');
    expect(runningPostmaster(folder)).toEqual({ pid, port: 5432, socketFolder: '/tmp/x', status: 'ready' });
    expect(runningPostmaster(join(folder, 'other'))).toBeUndefined();
  });

  test.each([
    ['of another process', () => `${process.pid}`],
    ['of no process', () => '999999999'],
    ['that is incomplete', () => ''],
  ])('describe no server with an id %s', (_, pid) => {
    record(pid(), '/tmp/x');
    expect(runningPostmaster(folder)).toBeUndefined();
  });

  test.each([
    ['/tmp/sightline-0123456789ab', false],
    ['/tmp/sightline-0123456789aB', true],
    ['/tmp/sightline-0123456789abc', true],
  ])(
    'of a server that has ended are removed, with a socket folder of its own alone: %s',
    async (path, stays) => {
      mkdirSync(path, { recursive: true });
      onTestFinished(() => rmSync(path, { recursive: true, force: true }));
      record(process.pid, path);
      await clearPredecessor(folder, () => Promise.reject(new Error('none runs')));
      expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);
      expect(existsSync(path)).toBe(stays);
    },
  );

  test('name the process that has started it, and one that has ended leaves it to be stopped', async () => {
    const { pid } = await startServer();
    record(pid!, '/tmp/x');
    options(process.pid);
    const ended: number[] = [];
    const clear = () =>
      clearPredecessor(folder, async server => {
        ended.push(server.pid);
      });
    await expect(clear()).rejects.toThrow(inUse(folder, process.pid).message);
    expect(ended).toEqual([]);
    options(999_999_999);
    await clear();
    expect(ended).toEqual([pid]);
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(true);
  });

  test.each([0, -1, Number.NaN, 999_999_999])('the process id %d is that of no process', pid => {
    expect(isRunning(pid)).toBe(false);
  });

  test('a data folder in use is named with the process, if it is known', () => {
    expect(inUse('/d', 7).message).toBe(IN_USE.replace('another process', 'process 7'));
    expect(inUse('/d').message).toBe(IN_USE);
    expect(isRunning(process.pid)).toBe(true);
  });
});
