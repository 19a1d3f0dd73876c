import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const run = promisify(execFile);

/** npm packages that contain a runtime, and the path of its program. `.` is the current Node. */
const RUNTIMES = [
  ['this Node', undefined, process.execPath],
  ['Node 22', 'node@22', 'node_modules/node/bin/node'],
  ['Node 24', 'node@24', 'node_modules/node/bin/node'],
  ['Node 26', 'node@26', 'node_modules/node/bin/node'],
  ['Deno', 'deno@2', 'node_modules/deno/deno'],
  ['Bun', 'bun@1', 'node_modules/bun/bin/bun.exe'],
] as const;

/** The lines of `docs/client.md` below the heading of the first call: the shell commands, then the program. */
async function firstCall(): Promise<{ install: string; program: string }> {
  const guide = await readFile('docs/client.md', 'utf8');
  const [, install = '', program = ''] =
    /## First call\n[\s\S]*?```sh\n([\s\S]*?)```[\s\S]*?```js\n([\s\S]*?)```/.exec(guide) ?? [];
  return { install, program };
}

let service: TestService;
let key: string;
let packed: string;
const folders: string[] = [];

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-client-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('crew'), ...belongings('crew'));
  key = await service.key('team', 'crew');
  const folder = await emptyFolder();
  await run('npm', ['run', 'build', '-w', '@sightline/client']);
  await run('npm', ['pack', './packages/client/dist', '--pack-destination', folder]);
  packed = join(folder, (await readdir(folder))[0]!);
});
afterAll(async () => {
  await service.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

it('the client can be used from CommonJS, plain or compiled from TypeScript', async () => {
  const folder = await emptyFolder();
  await run('npm', ['install', packed], { cwd: folder });
  const program = `import { createClient, SightlineError } from '@sightline/client';
const { SIGHTLINE_URL: baseUrl = '', SIGHTLINE_KEY: key = '' } = process.env;
createClient({ baseUrl, key }).get('/v1/me').then(me => console.log(me.type, SightlineError.name));
declare const process: { env: Record<string, string> };
`;
  await writeFile(join(folder, 'first.cts'), program);
  const options = ['--module', 'node16', '--target', 'es2022', '--strict', '--skipLibCheck', 'first.cts'];
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options], { cwd: folder });
  const env = { ...process.env, SIGHTLINE_URL: service.url, SIGHTLINE_KEY: key };
  const { stdout } = await run(process.execPath, ['--no-warnings', 'first.cjs'], { cwd: folder, env });
  expect(stdout).toBe('team SightlineError\n');
});

describe('the client guide', () => {
  it('reaches the first call in at most five lines', async () => {
    const { install, program } = await firstCall();
    const lines = (install + program).trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(install).toContain('npm install @sightline/client\n');
  });

  it.each(RUNTIMES)('works in an empty folder with %s', async (name, runtime, binary) => {
    const folder = await emptyFolder();
    const { program } = await firstCall();
    await run('npm', ['install', packed], { cwd: folder });
    try {
      if (runtime)
        await run('npm', ['install', '--foreground-scripts', '--ignore-scripts=false', runtime], {
          cwd: folder,
        });
    } catch (error) {
      process.stderr.write(`skipped: ${name}, which cannot be had: ${(error as Error).message}\n`);
      return;
    }
    await writeFile(join(folder, 'first.mjs'), program);
    const path = runtime ? join(folder, binary) : binary;
    const flags = name === 'Deno' ? ['run', '-A'] : [];
    const { stdout, stderr } = await run(path, [...flags, 'first.mjs'], {
      cwd: folder,
      env: { ...process.env, SIGHTLINE_URL: service.url, SIGHTLINE_KEY: key, NO_COLOR: '1' },
    });
    expect(stderr).toBe('');
    expect(stdout).toContain((await service.get('/v1/me', key)).body.teamName);
  });
});
