import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createNetwork, freePort } from '../support/network.ts';
import { exitCode } from '../support/sightline.ts';
import { until } from '../support/until.ts';

/**
 * Builds the image and starts it without a Docker daemon. CONTAINER_STORAGE names a folder that caches the image for
 * later runs; NODE_IMAGE names the base image if a registry is available.
 */
const TOOLS = ['buildah', 'debootstrap', 'unshare', 'setpriv'];
const missing = TOOLS.filter(tool => spawnSync(tool, ['--version']).error);
const reason =
  process.getuid?.() === 0 ? missing.map(tool => `${tool} is missing`).join(', ') : 'it needs root';
if (reason) process.stderr.write(`skipped: the container's recipe is not tried: ${reason}\n`);

/** Disk sizes are counted in megabytes of 10^6 bytes. */
const MEGABYTE = 1_000_000;
const USER = '65532';
const IMAGE = 'localhost/sightline:local';
/** In milliseconds. The build downloads Debian and all packages. */
const BUILD_LIMIT = 1_200_000;

let storage: string;
let root: string;
let configuration: Configuration;
let database: TestDatabase;
let databaseUrl: string;

/** The part of an image configuration that Docker reads. */
interface Configuration {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  StopSignal: string;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

function buildah(...args: string[]): string {
  const where = ['--root', `${storage}/images`, '--runroot', `${storage}/run`, '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...where, ...args], { encoding: 'utf8', maxBuffer: 2 ** 24 }).trim();
}

beforeAll(async () => {
  if (reason) return;
  storage = process.env.CONTAINER_STORAGE ?? mkdtempSync(join(tmpdir(), 'sightline-images-'));
  if (buildah('images', '--quiet', '--filter', `reference=${IMAGE}`) === '') {
    await promisify(execFile)('packaging/container/build-without-docker.sh', {
      env: { ...process.env, STORAGE: storage },
      maxBuffer: 2 ** 24,
    });
  }
  configuration = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)).Docker.config;
  root = buildah('mount', buildah('from', '--pull-never', IMAGE));
  database = await createDatabase();
  const network = await createNetwork(database.directUrl);
  await network.putUp();
  databaseUrl = network.url;
}, BUILD_LIMIT);

afterAll(async () => {
  await database?.drop();
  if (!storage) return;
  buildah('rm', '--all');
  if (!process.env.CONTAINER_STORAGE) rmSync(storage, { recursive: true, force: true });
});

/** Runs a command as in the container: with a read-only root and the image's user. */
function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const ofImage = Object.fromEntries(configuration.Env.map(line => line.split(/=(.*)/s).slice(0, 2)));
  return spawn(
    'packaging/container/run-read-only.sh',
    [root, configuration.User.split(':')[0]!, ...command],
    {
      env: { ...ofImage, PATH: process.env.PATH, ...env },
    },
  );
}

/** Returns the first process in the container, because its launcher does not forward signals. */
function unwrap(child: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' }));
}

/** Runs the command of the image until it is ready. */
async function serve() {
  const port = String(await freePort());
  const env = { DATABASE_URL: databaseUrl, PORT: port, SHUTDOWN_GRACE: '0', GRAPHIQL: 'true' };
  const child = start([...configuration.Entrypoint, ...configuration.Cmd], env);
  const said = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const url = `http://127.0.0.1:${port}`;
  const status = (path: string, accept = '*/*') =>
    fetch(url + path, { headers: { accept } }).then(
      answer => answer.status,
      () => 0,
    );
  await until(async () => {
    if (child.exitCode !== null) throw new Error((await said).join(''));
    return (await status('/readyz')) === 200;
  });
  const inner = unwrap(child);
  return {
    child,
    env,
    url,
    said,
    status,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      try {
        process.kill(inner, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
      await exitCode(child);
    },
  };
}

describe.skipIf(reason)('the container', () => {
  it('has a numeric user, exec forms, a stop signal, a health check and labels', () => {
    expect(configuration).toMatchObject({
      User: `${USER}:${USER}`,
      Entrypoint: ['node', '--max-semi-space-size=8', 'bin/sightline.js'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['CMD', 'node', 'bin/sightline.js', 'health'] },
    });
    expect(configuration.Labels['org.opencontainers.image.revision']).toMatch(/^[0-9a-f]{40}$/);
    expect(configuration.Labels['org.opencontainers.image.version']).toBe(process.env.npm_package_version);
  });

  it('contains only the built program, without sources, PostgreSQL and development tools', () => {
    const list = (path: string) =>
      execFileSync('ls', ['-A', join(root, path)], { encoding: 'utf8' }).split('\n');
    expect(list('app').filter(Boolean)).toEqual(['LICENSE', 'bin', 'dist', 'package.json']);
    const native = execFileSync('find', [join(root, 'app'), '-name', '*.node'], { encoding: 'utf8' });
    expect(native).toBe('');
  });

  it('adds less than 10 MB of compressed data to its base image', () => {
    const archive = execFileSync('tar', ['-C', root, '-cf', '-', 'app'], { maxBuffer: 2 ** 28 });
    const compressed = gzipSync(archive).length / MEGABYTE;
    process.stderr.write(
      `/app ${(archive.length / MEGABYTE).toFixed(1)} MB, ${compressed.toFixed(1)} MB compressed\n`,
    );
    expect(compressed).toBeLessThan(10);
  });

  it('serves on a read-only root, reports its health, and exits with 0', async () => {
    await using running = await serve();
    const { url, child, env, status } = running;
    const health = start(configuration.Healthcheck.Test.slice(1), env);
    expect(await exitCode(health)).toBe(0);
    expect(await Promise.all(['/docs', '/app', '/openapi.json'].map(path => status(path)))).toEqual([
      200, 200, 200,
    ]);
    expect(await status('/graphql', 'text/html')).toBe(200);
    const owner = execFileSync('ps', ['-o', 'uid=', '--pid', String(unwrap(child))], { encoding: 'utf8' });
    expect(owner.trim()).toBe(USER);
    process.kill(unwrap(child), 'SIGTERM');
    const [log, errors] = await running.said;
    expect(errors).toBe('');
    expect(log).toContain('"msg":"ending"');
    expect(await fetch(url).catch(() => 'closed')).toBe('closed');
  });

  it('is ready within a second on a ready database', async () => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const begin = performance.now();
      await using running = await serve();
      times.push(performance.now() - begin);
      process.kill(unwrap(running.child), 'SIGTERM');
      await running.said;
    }
    process.stderr.write(`ready after ${times.map(Math.round).join(', ')} ms\n`);
    expect(Math.min(...times)).toBeLessThan(1000);
  });

  it('cannot write to its root but can write to /tmp', async () => {
    const touch = (path: string) => exitCode(start(['touch', path], {}));
    expect(await touch('/app/written')).not.toBe(0);
    expect(await touch('/written')).not.toBe(0);
    expect(await touch('/tmp/written')).toBe(0);
  });

  it('refuses a database address without a user, since its own user has no name', async () => {
    const DATABASE_URL = databaseUrl.replace(/\/\/[^@]*@/, '//');
    const migrate = start([...configuration.Entrypoint, 'migrate'], { DATABASE_URL });
    expect(await text(migrate.stderr!)).toContain('DATABASE_URL names no user');
  });

  it('runs migrate and doctor through the same entry point', async () => {
    const migrate = start([...configuration.Entrypoint, 'migrate'], { DATABASE_URL: databaseUrl });
    expect(await text(migrate.stderr!)).toBe('Nothing to do: the database is up to date.\n');
    const doctor = start([...configuration.Entrypoint, 'doctor'], { DATABASE_URL: databaseUrl });
    expect(await text(doctor.stdout!)).toMatch(/^ok +service: the database is migrated/m);
  });
});
