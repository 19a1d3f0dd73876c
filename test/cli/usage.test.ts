import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtAt } from '../support/built.ts';
import { makeFolder } from '../support/folder.ts';
import { exitCode, program, sightline, sightlineHere } from '../support/sightline.ts';

/** The commands in a help text, except for `help` itself. */
function listedIn(help: string): string[] {
  const [, listed = ''] = /\nCommands:\n(.*?)\n(?:\n|$)/s.exec(help) ?? [];
  return [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter(name => name !== 'help');
}

/** Help texts by command, such as `keys` and `keys create`. */
async function helps(command: readonly string[] = []): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await sightlineHere([...command, '--help'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const found = new Map([[command.join(' '), stdout]]);
  for (const name of listedIn(stdout))
    for (const [further, help] of await helps([...command, name])) found.set(further, help);
  return found;
}

describe('the command line', () => {
  it('has help with an example for every command', async () => {
    const all = await helps();
    expect(all.size).toBeGreaterThan(20);
    for (const [command, help] of all) {
      expect(help).toContain(`Usage: sightline ${command}`.trimEnd());
      if (listedIn(help).length === 0) expect(help, command).toMatch(/\nExamples?:\n {2}/);
    }
  });

  it('prints its version', { tags: 'slow' }, async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
    expect(await sightline(['--version'])).toEqual(printed);
    // The arguments after it are ignored.
    expect(await sightline(['--version', 'serve'])).toEqual(printed);
  });

  it('prints the default of each duration with its unit', async () => {
    const options = [...(await helps()).values()].flatMap(help => help.split(/\n(?= {2}-)/));
    const defaults = options
      .filter(option => /^ {2}-.*<time>/.test(option))
      .flatMap(option => /\(default:\s+(\S+)\)/.exec(option)?.[1] ?? []);
    expect(defaults.length).toBeGreaterThan(3);
    for (const one of defaults) expect(one).toMatch(/^\d+(?:ms|s|m|h|d)$/);
  });

  it('lists every command in the table of the README', async () => {
    const { stdout } = await sightlineHere(['--help'], {});
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell]) => cell!.match(/`\w+/g) ?? []);
    expect(listedIn(stdout).length).toBeGreaterThan(10);
    expect(listedIn(stdout).filter(name => !rows.includes(`\`${name}`))).toEqual([]);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['sevre']],
    ['an unknown option', ['config', '--colour']],
    ['a missing argument', ['keys', 'revoke']],
    ['a surplus argument', ['config', 'all']],
  ])('prints usage errors to standard error and exits with 2 for %s', async (_, args) => {
    const { code, stdout, stderr } = await sightlineHere(args, {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('reports an unreachable database in one sentence', async () => {
    const env = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/db' };
    const { code, stdout, stderr } = await sightlineHere(['keys', 'list'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n');
  });
});

describe('help', () => {
  it('prints the same text for both ways of requesting it', async () => {
    const requested = await sightlineHere(['help', 'load'], {});
    expect(requested).toEqual(await sightlineHere(['load', '--help'], {}));
    expect(requested.code).toBe(0);
  });
});

describe('a command without DATABASE_URL', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-test-nowhere-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([['load', 'feed.ndjson'], ['migrate'], ['prune'], ['maintain'], ['keys', 'list']])(
    'does not create a database: %s',
    async (...args) => {
      const directory = join(folder, 'data');
      expect(await sightlineHere(args, { DATA_DIRECTORY: directory, DATABASE_URL: '' })).toEqual({
        code: 1,
        stdout: '',
        stderr: `DATABASE_URL is not set, and ${directory} contains no database: set it to the URL of your PostgreSQL, or create a database with "npm start"\n`,
      });
      expect(existsSync(directory)).toBe(false);
    },
  );

  it('fails in production even if a data folder exists', async () => {
    const env = { NODE_ENV: 'production', DATA_DIRECTORY: folder, DATABASE_URL: '' };
    expect(await sightlineHere(['keys', 'list'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'DATABASE_URL is not set, and NODE_ENV is production: set it to the URL of your PostgreSQL\n',
    });
  });
});

describe('standard output on a full disk', () => {
  it.runIf(existsSync('/dev/full'))('causes a one-line error message', { tags: 'slow' }, async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program(), 'config'], {
      stdio: ['ignore', full, 'pipe'],
      // Vitest defines a variable with this name.
      env: { ...process.env, BASE_URL: '' },
    });
    closeSync(full);
    const [code, said] = await Promise.all([exitCode(child), text(child.stderr!)]);
    expect({ code, said }).toEqual({
      code: 1,
      said: 'Standard output cannot be written: ENOSPC: no space left on device, write\n',
    });
  });
});

describe('a checkout without packages', () => {
  /** `health`, because its output proves that the program started. */
  const run = (folder: string) =>
    spawnSync(process.execPath, [join(folder, 'bin/sightline.js'), 'health', '--help'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });

  it('runs its build, and names the missing step if it has none', { tags: 'slow' }, () => {
    const folder = makeFolder();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['bin', 'package.json', 'src']) cpSync(name, join(folder, name), { recursive: true });
    expect(run(folder)).toMatchObject({
      status: 1,
      stderr: 'The packages of this checkout are missing: run "npm ci" in its folder.\n',
    });
    cpSync(builtAt('dist'), join(folder, 'dist'), { recursive: true });
    expect(run(folder)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('a service start', () => {
  it('uses a single malloc arena in every kind of packaging', () => {
    const starts = ['bin/sightline.js', 'Dockerfile', 'packaging/systemd/sightline.service'];
    for (const start of starts) expect(readFileSync(start, 'utf8'), start).toContain('MALLOC_ARENA_MAX=1');
  });
});

describe('npm start', () => {
  it('passes the same flags to Node as the sightline command', () => {
    const [, flags] = /^#!\S+ -S \S+ node (.+)\n/.exec(readFileSync('bin/sightline.js', 'utf8')) ?? [];
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts.start).toBe(`node ${flags} bin/sightline.js dev`);
  });
});

describe('config', () => {
  it('prints the settings with hidden passwords', async () => {
    const env = { PORT: '4001', DATABASE_URL: 'postgres://me:secret@db/reports' };
    const { code, stdout } = await sightlineHere(['config'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('PORT=4001\n');
    expect(stdout).toContain('DATABASE_URL=postgres://me:***@db/reports\n');
  });

  it('reports all invalid settings at once', async () => {
    const { code, stdout, stderr } = await sightlineHere(['config'], { PORT: 'http', GRAPHIQL: '1' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('PORT must be');
    expect(stderr).toContain('GRAPHIQL must be');
  });

  it('reads .env in the working directory, with lower priority than the environment', {
    tags: 'slow',
  }, async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'sightline config '));
    try {
      writeFileSync(join(cwd, '.env'), 'PORT=4321\nRATE_LIMIT_MAX=7\n');
      const { stdout } = await sightline(['config'], { cwd, env: { PORT: '4322' } });
      const json = await sightline(['config', '--json'], { cwd, env: { PORT: '4322' } });
      expect(JSON.parse(json.stdout)).toEqual(
        expect.arrayContaining([
          { name: 'PORT', value: '4322', source: 'environment' },
          { name: 'RATE_LIMIT_MAX', value: '7', source: '.env' },
          { name: 'HOST', value: '127.0.0.1', source: 'default' },
        ]),
      );
      expect(stdout).toContain('PORT=4322\n');
      expect(stdout).toContain('RATE_LIMIT_MAX=7\n');
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
