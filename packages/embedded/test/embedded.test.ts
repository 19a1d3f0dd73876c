import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseAddress } from '@sightline/pg-client';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../../sql/client.ts';
import { IN_EARNEST } from '../../../test/faults/scale.ts';
import { freshCluster } from '../../../test/support/cluster.ts';
import {
  copyProject,
  end,
  installedLinks,
  startElsewhere,
} from '../../../test/support/embedded-elsewhere.ts';
import { makeFolder } from '../../../test/support/folder.ts';
import { connectOperator } from '../../../test/support/operator.ts';
import { until } from '../../../test/support/until.ts';
import { canReach, type SystemUser } from '../src/account.ts';
import { EmbeddedDatabaseError } from '../src/error.ts';
import { isRunning, runningPostmaster } from '../src/postmaster.ts';
import { type EmbeddedDatabase, findEmbedded, startEmbedded } from '../src/start.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY: SystemUser = { uid: 65_534, gid: 65_534 };
/** A user that exists on every system. */
const DAEMON: SystemUser = { uid: 1, gid: 1 };
const project = fileURLToPath(new URL('../../..', import.meta.url));
const settings = { fsync: 'off' };

/** An empty folder for each test. */
let folder: string;
/** A data folder with a database, shared by the tests. Each test stops its server. The path has spaces. */
let directory: string;
beforeAll(async () => {
  const shared = makeFolder();
  directory = join(shared, 'my project', 'data');
  await freshCluster(directory);
  return () => rmSync(shared, { recursive: true });
});
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function isServer(data: string): number {
  const server = runningPostmaster(realpathSync(join(data, 'postgresql')));
  if (!server) throw new Error(`no server runs on ${data}`);
  return server.pid;
}

const untilEnded = (pid: number) => until(() => !isRunning(pid));

async function isAsleep(url: string): Promise<boolean> {
  const [row] = await ask(
    url,
    "select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'",
  );
  return (row as { n: number }).n === 1;
}

/** Starts a server on this data folder and returns the error message. */
async function refusal(data: string): Promise<string> {
  const error = await startEmbedded({ directory: data, settings }).catch(cause => cause);
  expect(error).toBeInstanceOf(EmbeddedDatabaseError);
  return error.message;
}

async function ask(url: string, statement: string): Promise<readonly object[]> {
  const sql = connectOperator(url);
  try {
    return [...(await sql.query(statement))];
  } finally {
    await sql.end();
  }
}

test('a start removes leftovers only of processes that have ended, and preserves existing data, in a path with spaces', {
  tags: 'slow',
}, async () => {
  const own = join(folder, 'my project', 'data');
  mkdirSync(join(own, 'postgresql.999999999.new', 'base'), { recursive: true });
  // The parent of this process may be creating a database there at the same time.
  const unfinished = `postgresql.${process.ppid}.new`;
  mkdirSync(join(own, unfinished));
  const first = await startEmbedded({ directory: own, settings });
  expect(first.created).toBe(true);
  expect(readdirSync(own).sort()).toEqual(['postgresql', unfinished]);
  await ask(first.url, `create table note as select 'Grüße' as text`);
  await first.stop();
  const second = await startEmbedded({ directory: own, settings });
  expect(second.created).toBe(false);
  expect(await ask(second.url, 'select text from note')).toEqual([{ text: 'Grüße' }]);
  await second.stop();
});

describe('a running server', () => {
  let running: EmbeddedDatabase;
  beforeAll(async () => {
    vi.stubEnv('PGPORT', '9999');
    vi.stubEnv('PGHOST', 'elsewhere.invalid');
    running = await startEmbedded({ directory, settings });
    return () => vi.unstubAllEnvs();
  });

  test('has a single-host address that service and operator can use, independent of the environment', async () => {
    const { url } = running;
    expect(parseAddress(url).hosts).toHaveLength(1);
    const limits = { poolSize: 1, statementTimeout: 1000, queueTimeout: 100, queueLimit: 1 };
    const service = connect({ ...limits, url, prepare: true, role: '' });
    expect([...(await service.rows('select 1 as one', []))]).toEqual([{ one: 1 }]);
    await service.end();
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('listens only on a private socket', async () => {
    const { addresses, folder } = await findListening(running.url);
    expect(addresses).toBe('');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('orders text by code point in UTF-8', async () => {
    expect(await ask(running.url, `select 'b' < 'ä' as ordered, lower('Ä') as lower`)).toEqual([
      { ordered: true, lower: 'ä' },
    ]);
  });

  test('locks its data folder against a second server', async () => {
    expect(await refusal(directory)).toBe(
      `The data folder ${directory}/postgresql is in use by process ${process.pid}: ` +
        'stop that one first, or name another with DATA_DIRECTORY.',
    );
  });

  test('stops promptly despite open sessions and removes its socket', async () => {
    const { url, stop } = running;
    const { folder } = await findListening(url);
    const sql = connectOperator(url);
    const sleeper = sql`select pg_sleep(60)`.then(
      () => 'slept',
      () => 'ended',
    );
    await until(() => isAsleep(url));
    await stop();
    // The server has stopped, although the statement would have run for a minute.
    expect(await sleeper).toBe('ended');
    expect(existsSync(folder)).toBe(false);
    await sql.end();
  });
});

/** Returns the addresses on which the server listens, and the folder of its socket. */
async function findListening(url: string): Promise<{ addresses: string; folder: string }> {
  const [row] = await ask(
    url,
    `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as folder`,
  );
  return row as { addresses: string; folder: string };
}

test('a server publishes its address to other processes and survives Ctrl-C until the service stops it', {
  tags: 'slow',
}, async () => {
  expect(findEmbedded(directory)).toBeUndefined();
  const { url, child, nextLine } = await startElsewhere(directory);
  expect(findEmbedded(directory)).toBe(url);
  const server = isServer(directory);
  process.kill(-child.pid!, 'SIGINT');
  expect(JSON.parse(await nextLine())).toEqual([{ answer: 'alive' }]);
  await untilEnded(server);
  expect(findEmbedded(directory)).toBeUndefined();
});

test('a server ends when its starter is killed, and can be started again', { tags: 'slow' }, async () => {
  const { url, child } = await startElsewhere(directory);
  await ask(url, `create table survivor as select 'kept' as text`);
  const server = isServer(directory);
  await end(child, 'SIGKILL');
  await untilEnded(server);
  const restarted = await startEmbedded({ directory, settings });
  expect(await ask(restarted.url, 'select text from survivor')).toEqual([{ text: 'kept' }]);
  await restarted.stop();
});

test.runIf(process.platform === 'linux')(
  'a start replaces an orphaned server that has lost its watchdog',
  { tags: 'slow' },
  async () => {
    const { url, child } = await startElsewhere(directory);
    await ask(url, `create table orphaned as select 'kept' as text`);
    const orphan = isServer(directory);
    const { folder } = await findListening(url);
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    const watchdogs = children.map(Number).filter(pid => isShell(pid));
    expect(watchdogs).toHaveLength(1);
    process.kill(watchdogs[0]!, 'SIGKILL');
    await end(child, 'SIGKILL');
    await sleep(200);
    expect(isRunning(orphan)).toBe(true);
    const restarted = await startEmbedded({ directory, settings });
    expect(isRunning(orphan)).toBe(false);
    expect(await ask(restarted.url, 'select text from orphaned')).toEqual([{ text: 'kept' }]);
    await restarted.stop();
    expect(existsSync(folder)).toBe(false);
  },
);

function isShell(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh');
}

test('a server starts after a power failure even if another process has its former process id', {
  tags: 'slow',
}, async () => {
  const { stop } = await startEmbedded({ directory, settings });
  const file = join(directory, 'postgresql', 'postmaster.pid');
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  await stop();
  const unrelated = spawn('sleep', ['60'], isRoot ? NOBODY : {});
  onTestFinished(() => end(unrelated, 'SIGKILL'));
  writeFileSync(file, [unrelated.pid, ...rest].join('\n'));
  const restarted = await startEmbedded({ directory, settings });
  expect(await ask(restarted.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await restarted.stop();
});

test('a start does not stop a server that has not recorded its starter yet', { tags: 'slow' }, async () => {
  const { url, child } = await startElsewhere(directory);
  const server = isServer(directory);
  const [optionsFile, pidFile] = ['opts', 'pid'].map(name =>
    join(directory, `postgresql/postmaster.${name}`),
  );
  const [options, record] = [optionsFile!, pidFile!].map(file => readFileSync(file, 'utf8'));
  writeFileSync(optionsFile!, options!.replace(/sightline-\d+/, 'sightline-999999999'));
  writeFileSync(pidFile!, record!.split('\n').slice(0, 5).join('\n'));
  const start = refusal(directory);
  expect(await Promise.race([start, sleep(300, 'waiting')])).toBe('waiting');
  writeFileSync(optionsFile!, options!);
  writeFileSync(pidFile!, record!);
  expect(await start).toContain(`is in use by process ${child.pid}: stop that one first`);
  expect(isRunning(server)).toBe(true);
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await end(child, 'SIGKILL');
  await untilEnded(server);
});

// Both tests create a cluster.
test.runIf(IN_EARNEST)(
  'two simultaneous starts create one database, and one of them is refused',
  async () => {
    const answers = await Promise.all([1, 2].map(() => startElsewhere(folder)));
    const refused = answers.filter(answer => answer.error);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ error: 'EmbeddedDatabaseError' });
    expect(refused[0]?.message).toMatch(/is in use by .*: stop that one first/);
    expect(readdirSync(folder)).toEqual(['postgresql']);
    for (const { child } of answers) await end(child, 'SIGTERM');
  },
);

test('of three simultaneous starts on a database, one succeeds and the others name the cause', async () => {
  for (let round = 0; round < (IN_EARNEST ? 3 : 1); round++) {
    const starts = await Promise.allSettled([1, 2, 3].map(() => startEmbedded({ directory, settings })));
    const started = starts.filter(({ status }) => status === 'fulfilled');
    const reasons = starts.flatMap(start => (start.status === 'rejected' ? [String(start.reason)] : []));
    expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/is in use by .*: stop that one first/)));
    expect(started).toHaveLength(1);
    await Promise.all(starts.map(start => start.status === 'fulfilled' && start.value.stop()));
  }
});

describe('a refused start', () => {
  test('names a folder with unrelated content', async () => {
    mkdirSync(join(folder, 'postgresql', 'holiday pictures'), { recursive: true });
    expect(await refusal(folder)).toBe(
      `The data folder ${folder}/postgresql contains no PostgreSQL database: ` +
        'move it away, or name another with DATA_DIRECTORY.',
    );
  });

  test('names the major version of incompatible data', async () => {
    mkdirSync(join(folder, 'postgresql'));
    writeFileSync(join(folder, 'postgresql', 'PG_VERSION'), '16\n');
    expect(await refusal(folder)).toBe(
      `The data folder ${folder}/postgresql was written by PostgreSQL 16, and this is PostgreSQL 17: ` +
        'move it away, or name another with DATA_DIRECTORY.',
    );
  });

  test('names damaged data', async () => {
    const control = join(directory, 'postgresql', 'global', 'pg_control');
    const whole = readFileSync(control);
    writeFileSync(control, 'damaged');
    onTestFinished(() => writeFileSync(control, whole));
    expect(await refusal(directory)).toMatch(
      /^The embedded PostgreSQL cannot open its data folder .*: could not read file .*\. Move the folder away/,
    );
  });

  test('names an unknown PostgreSQL setting', async () => {
    const unknown = { shared_bufers: '1' };
    const error = await startEmbedded({ directory, settings: unknown }).catch(cause => cause);
    expect(error).toBeInstanceOf(EmbeddedDatabaseError);
    expect(error.message).toContain('unrecognized configuration parameter "shared_bufers"');
  });

  test('names a data folder that is a file', async () => {
    writeFileSync(join(folder, 'data'), '');
    expect(await refusal(join(folder, 'data'))).toMatch(
      /^The data folder .* cannot be used: E(EXIST|NOTDIR): /,
    );
  });
});

test('a start creates the library links that an install without scripts leaves out', {
  tags: 'slow',
}, async () => {
  const { start, binaries } = copyProject();
  const { links } = installedLinks(binaries);
  expect(links).not.toEqual([]);
  expect(links.filter(existsSync)).toEqual([]);
  const { url, child } = await startElsewhere(directory, { start });
  expect(url).toMatch(/^postgres:/);
  expect(links.every(existsSync)).toBe(true);
  await end(child, 'SIGTERM');
});

// These tests run initdb or copy the installation.
if (IN_EARNEST && isRoot && canReach(project, NOBODY))
  describe('root and an ordinary user', () => {
    let own: string;
    beforeEach(() => {
      own = join(folder, 'data');
      mkdirSync(own);
    });

    test('an ordinary user can run it without write access to the installed binaries', async () => {
      const { start, data } = copyProject();
      chownSync(data, NOBODY.uid, NOBODY.gid);
      const { created, child } = await startElsewhere(data, { account: NOBODY, start });
      expect(created).toBe(true);
      expect(readdirSync(data)).toEqual([expect.stringMatching(/^binaries-17\./), 'postgresql']);
      await end(child, 'SIGTERM');
    });

    test('root runs it as the owner of the project, who can then start it as well', async () => {
      chmodSync(own, 0o700);
      chownSync(own, DAEMON.uid, DAEMON.gid);
      const { stop } = await startEmbedded({ directory: own, settings });
      expect(statSync(join(own, 'postgresql'))).toMatchObject(DAEMON);
      await stop();
      const { created, child } = await startElsewhere(own, { account: DAEMON });
      expect(created).toBe(false);
      await end(child, 'SIGTERM');
    });

    test('root runs it as a dedicated user, and migrates data that an earlier version created as "nobody"', async () => {
      await freshCluster(own);
      const place = join(own, 'postgresql');
      for (const name of ['.', ...(readdirSync(place, { recursive: true }) as string[])]) {
        chownSync(join(place, name), NOBODY.uid, NOBODY.gid);
      }
      const { url, stop } = await startEmbedded({ directory: own, settings });
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      const [row] = await ask(url, `select current_setting('unix_socket_directories') as folder`);
      const { folder: socketFolder } = row as { folder: string };
      for (const path of [place, socketFolder]) {
        expect(statSync(path)).toMatchObject({ uid: 60_754, gid: 60_754 });
        expect(canReach(join(path, '.'), NOBODY)).toBe(false);
      }
      expect(readFileSync(`/proc/${isServer(own)}/status`, 'utf8')).toContain('Uid:\t60754\t60754');
      await stop();
    });

    test('root can run it when only root can enter the project', async () => {
      chmodSync(own, 0o700);
      const { url, stop, created } = await startEmbedded({ directory: own, settings });
      const place = realpathSync(join(own, 'postgresql'));
      onTestFinished(() => rmSync(place, { recursive: true, force: true }));
      expect(place.startsWith('/var/lib/sightline/data-')).toBe(true);
      expect(statSync(place).uid).not.toBe(NOBODY.uid);
      expect(created).toBe(true);
      await ask(url, `create table note as select 'kept' as text`);
      await stop();
      const restarted = await startEmbedded({ directory: own, settings });
      expect(restarted.created).toBe(false);
      expect(await ask(restarted.url, 'select text from note')).toEqual([{ text: 'kept' }]);
      await restarted.stop();
    });
  });
