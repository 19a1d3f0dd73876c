import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder.ts';
import { simulateTimers } from '../../../test/support/simulated-timers.ts';
import { until } from '../../../test/support/until.ts';
import type { SystemUser } from '../src/account.ts';
import { clearPredecessor, endPostmaster, inUse, isRunning } from '../src/postmaster.ts';
import { launchServer, type Settings } from '../src/server.ts';
import { findEmbedded, hasEmbedded } from '../src/start.ts';
import { launchOnWindows } from '../src/windows.ts';

/** The processes of the embedded database, with shell scripts in place of PostgreSQL's programs. */

let folder: string;
let cluster: string;
beforeEach(() => {
  folder = makeFolder();
  cluster = join(folder, 'postgresql');
  mkdirSync(cluster);
});
afterEach(() => rmSync(folder, { recursive: true }));

function putProgram(name: string, script: string): { folder: string; major: string } {
  const program = join(folder, 'program', 'bin', name);
  mkdirSync(join(program, '..'), { recursive: true });
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { folder: join(folder, 'program'), major: '17' };
}

const readLines = (name: string) => readFileSync(join(cluster, name), 'utf8').trimEnd().split('\n');
const record = (pid: number | undefined, socketFolder: string, status: string) =>
  writeFileSync(
    join(cluster, 'postmaster.pid'),
    [pid, cluster, 1, 5432, socketFolder, '', '0 0', status].join('\n'),
  );

/** Replaces the monotonic clock by one that advances with each look at it. */
function stepClock(step: number): void {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += step;
    return now - step;
  });
  onTestFinished(() => void clock.mockRestore());
}

/** Starts a process whose arguments contain the cluster, as those of a server. */
async function startProcess(script: string) {
  const child = spawn(
    '/bin/sh',
    ['-c', `${script}\necho started; while :; do sleep 0.05; done`, 'server', cluster],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { pid: child.pid!, ended: once(child, 'exit') };
}

/** Returns the command lines of the child processes that name a path. */
const findChildren = (path: string) =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(child => readFileSync(`/proc/${child}/cmdline`, 'utf8'))
    .filter(line => line.split('\0').includes(path));

/** Returns whether this process has opened the file. */
const isOpen = (path: string) =>
  readdirSync('/proc/self/fd').some(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    } catch {
      return false;
    }
  });

/** Notes the signals that it receives, and ends with the given one. */
const server = (status: string, end = 'INT') => `
  cluster="$2"
  printf '%s\\n' "$@" > "$cluster/arguments"
  env | sort > "$cluster/environment"
  for signal in INT QUIT; do trap "echo $signal >> '$cluster/signals'; test $signal != ${end} || exit 0" $signal; done
  socket=$(sed -n 's/^unix_socket_directories=//p' "$cluster/arguments")
  printf '%s\\n' $$ "$cluster" 1 5432 "$socket" '' '0 0' '${status}' > "$cluster/postmaster.pid"
  echo said
  while :; do sleep 0.05; done`;

const launch = (script: string, settings: Settings = {}, account?: SystemUser) =>
  launchServer({ cluster, binaries: putProgram('postgres', script), account, settings });

describe.runIf(process.platform === 'linux')('a server', () => {
  test('gets the settings of the caller before the defaults, and an address of its own before both', async () => {
    vi.stubEnv('PGPORT', '9999');
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = { log_checkpoints: 'on', work_mem: '1MB', port: '1', listen_addresses: '*' };
    const { url, stop } = await launch(server('ready   '), settings);
    const socket = decodeURIComponent(/@(.*):5432\/postgres$/.exec(url)![1]!);
    expect(socket).toMatch(/^\/tmp\/sightline-[0-9a-f]{12}$/);
    expect(statSync(socket).mode & 0o777).toBe(0o700);
    expect(url).toMatch(/^postgres:\/\/sightline@%2Ftmp/);
    expect(readLines('arguments').filter(text => text !== '-c')).toEqual([
      ...['-D', cluster, 'dynamic_shared_memory_type=mmap', 'log_checkpoints=on', 'timezone=UTC'],
      ...['log_timezone=UTC', 'work_mem=1MB', 'port=5432', 'listen_addresses='],
      ...[`unix_socket_directories=${socket}`, `cluster_name=sightline-${process.pid}`],
    ]);
    const environment = readLines('environment').filter(line => !/^(OLDPWD|SHLVL|_)=/.test(line));
    expect(environment).toEqual(['LC_ALL=C', 'PATH=/usr/bin:/bin', 'PWD=/', 'TZ=UTC']);
    expect(readLines('server.log')).toEqual(['said']);
    expect(statSync(join(cluster, 'server.log')).mode & 0o777).toBe(0o600);
    expect(isOpen(join(cluster, 'server.log'))).toBe(false);
    expect(findChildren(socket)).toEqual([expect.stringMatching(/^\/bin\/sh\0-c\0/)]);
    const countPending = simulateTimers();
    await stop();
    expect([readLines('signals'), existsSync(socket), countPending(10_000)]).toEqual([['INT'], false, 0]);
    // Its watchdog ends too.
    await until(() => findChildren(socket).length === 0);
  });

  test.runIf(process.getuid?.() === 0)('runs as the given account, which owns its files', async () => {
    const script = `
      socket=$(printf '%s\n' "$@" | sed -n 's/^unix_socket_directories=//p')
      echo "FATAL:  $(id -u)" $(stat -c '%u %g' "$2" "$2/server.log" "$socket"); exit 1`;
    await expect(launch(script, {}, { uid: 60_754, gid: 60_755 })).rejects.toThrow(
      `: 60754${' 60754 60755'.repeat(3)}. Move`,
    );
  });

  test('is not taken for another one that uses the data', async () => {
    const { pid } = await startProcess('');
    record(pid, '/tmp/x', 'ready');
    const other = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
    rmSync(join(cluster, 'postmaster.pid'));
    const script = `printf '%s' '${other}' > "$2/postmaster.pid"; sleep 0.05
      echo 'FATAL:  lock file "postmaster.pid" already exists'; exit 1`;
    await expect(launch(script)).rejects.toThrow(inUse(cluster).message);
  });

  test('that does not end is stopped immediately after ten seconds', async () => {
    const { stop } = await launch(server('ready', 'QUIT'));
    const pid = Number(readLines('postmaster.pid')[0]);
    const countPending = simulateTimers();
    const stopped = stop();
    vi.advanceTimersByTime(9999);
    while (!existsSync(join(cluster, 'signals'))) await turn();
    expect([readLines('signals'), isRunning(pid)]).toEqual([['INT'], true]);
    vi.advanceTimersByTime(1);
    await stopped;
    expect([readLines('signals'), isRunning(pid), countPending(10_000)]).toEqual([['INT', 'QUIT'], false, 0]);
  });

  test('that is not ready after two minutes is stopped and reported', async () => {
    stepClock(40_000);
    await expect(launch(server('starting'))).rejects.toThrow(
      `The embedded PostgreSQL is not ready after 120 seconds; ${cluster}/server.log can show the reason.`,
    );
  });

  test('that ends while it starts is reported with its first error, and leaves no socket folder', async () => {
    const script = `
      printf '%s\\n' "$@" | sed -n 's/^unix_socket_directories=//p' > "$2/socket"
      echo '[1] LOG:  starting'; echo '[1] FATAL:  no space' >&2; exit 1`;
    await expect(launch(script)).rejects.toThrow(`its data folder ${cluster}: no space. Move`);
    const [socket] = readLines('socket');
    expect(socket).toContain('/tmp/sightline-');
    expect(existsSync(socket!)).toBe(false);
  });

  test('writes a log of its own, not to a file to which the old one links', async () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'kept');
    symlinkSync(other, join(cluster, 'server.log'));
    await expect(launch('echo "FATAL:  no space"; exit 1')).rejects.toThrow('no space');
    expect([readFileSync(other, 'utf8'), readLines('server.log')]).toEqual(['kept', ['FATAL:  no space']]);
  });

  test('is awaited for a minute until it records its starter', async () => {
    const { pid } = await startProcess('');
    record(pid, '/tmp/x', '');
    stepClock(59_999);
    const never = () => Promise.reject(new Error('it is not stopped'));
    await expect(clearPredecessor(cluster, never)).rejects.toThrow(inUse(cluster).message);
    expect(performance.now()).toBe(3 * 59_999);
    expect(isRunning(pid)).toBe(true);
  });

  test('is stopped and its socket folder is removed, even during its start, once its starter has ended', async () => {
    const { pid } = await startProcess('');
    const socket = '/tmp/sightline-0123456789cd';
    mkdirSync(socket, { recursive: true });
    onTestFinished(() => rmSync(socket, { recursive: true, force: true }));
    record(pid, socket, 'starting');
    const refused = () => Promise.reject(new Error('it is not stopped'));
    writeFileSync(join(cluster, 'postmaster.opts'), `postgres "-c" "cluster_name=sightline-${process.pid}"`);
    await expect(clearPredecessor(cluster, refused)).rejects.toThrow(inUse(cluster, process.pid).message);
    expect(existsSync(socket)).toBe(true);
    writeFileSync(join(cluster, 'postmaster.opts'), 'postgres "-c" "cluster_name=sightline-999999999"');
    await clearPredecessor(cluster, async () => {});
    expect(existsSync(socket)).toBe(false);
  });

  test.each([
    ['fast', "trap 'exit 3' INT; trap 'exit 4' QUIT", 3],
    ['immediate', "trap '' INT; trap 'exit 4' QUIT", 4],
  ])('of an ended process ends with a %s shutdown', async (_, script, status) => {
    const { pid, ended } = await startProcess(script);
    stepClock(200);
    await endPostmaster(cluster, { pid, port: 0, socketFolder: '', status: '' });
    expect((await ended)[0]).toBe(status);
  });

  test('that resists both shutdowns is still in use', async () => {
    const { pid } = await startProcess("trap '' INT QUIT");
    // Four looks per shutdown: at its begin, and after 4, 8 and 12 seconds.
    stepClock(4000);
    await expect(endPostmaster(cluster, { pid, port: 0, socketFolder: '', status: '' })).rejects.toThrow(
      inUse(cluster).message,
    );
    expect(performance.now()).toBe(8 * 4000);
  });

  test('is found by another process only once it is ready', async () => {
    const { pid } = await startProcess('');
    for (const status of ['', 'starting', 'stopping']) {
      record(pid, '/tmp/a b', status);
      expect(findEmbedded(folder)).toBeUndefined();
    }
    record(pid, '/tmp/a b', 'ready   ');
    expect(findEmbedded(folder)).toBe('postgres://sightline@%2Ftmp%2Fa%20b:5432/postgres');
    record(pid, '', 'ready');
    writeFileSync(join(cluster, 'sightline-password'), 'pass');
    expect(findEmbedded(folder)).toBe('postgres://sightline:pass@127.0.0.1:5432/postgres');
    expect(findEmbedded(join(folder, 'other'))).toBeUndefined();
  });
});

test('a data folder contains a database if the database is complete', () => {
  expect([hasEmbedded(folder), hasEmbedded(join(folder, 'other'))]).toEqual([false, false]);
  writeFileSync(join(cluster, 'PG_VERSION'), '17');
  expect(hasEmbedded(folder)).toBe(true);
});

describe.runIf(process.platform === 'linux')('a server on Windows', () => {
  const launch = (script: string) =>
    launchOnWindows({
      cluster,
      binaries: putProgram('pg_ctl.exe', `printf '%s\\n' "$@" >> "${cluster}/calls"; ${script}`),
      account: undefined,
      settings: { work_mem: '1MB', port: '1', dynamic_shared_memory_type: 'posix' },
    });
  const STOP = () => ['stop', '-D', cluster, '-m', 'fast', '-w'];

  test('listens on a port of the loopback address, and is started and stopped by pg_ctl', async () => {
    writeFileSync(join(cluster, 'sightline-password'), 'pass');
    const { url, stop } = await launch('');
    const [, port] = /^postgres:\/\/sightline:pass@127\.0\.0\.1:(\d+)\/postgres$/.exec(url)!;
    const options = [
      ...['dynamic_shared_memory_type=posix', 'log_checkpoints=off', 'timezone=UTC', 'log_timezone=UTC'],
      ...[
        'work_mem=1MB',
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        `cluster_name=sightline-${process.pid}`,
      ],
    ].map(setting => `-c "${setting}"`);
    const start = ['start', '-D', cluster, '-w', '-t', '120', '-l', `${cluster}/server.log`, '-o'];
    expect(readLines('calls')).toEqual([...start, options.join(' ')]);
    rmSync(join(cluster, 'calls'));
    expect(findChildren(cluster)).toEqual([expect.stringContaining('process.stdin')]);
    await stop();
    expect(readLines('calls')).toEqual(STOP());
    await until(() => findChildren(cluster).length === 0);
  });

  test('that does not start is reported with its first error', async () => {
    writeFileSync(join(cluster, 'server.log'), '[1] FATAL:  no space\n');
    await expect(launch('exit 1')).rejects.toThrow(`its data folder ${cluster}: no space. Move`);
  });

  test('is stopped by pg_ctl if its starter has ended', async () => {
    const { pid } = await startProcess('');
    record(pid, '', 'ready');
    writeFileSync(join(cluster, 'postmaster.opts'), 'postgres "-c" "cluster_name=sightline-999999999"');
    writeFileSync(join(cluster, 'server.log'), 'FATAL:  no space');
    await expect(launch('exit 1')).rejects.toThrow('no space');
    expect(readLines('calls').slice(0, 6)).toEqual(STOP());
    expect(readLines('calls')[6]).toBe('start');
  });
});
