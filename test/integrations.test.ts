import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { NOW, open, personal, plan, report } from './support/fixtures.ts';
import { startService, type TestService } from './support/service.ts';
import { exitCode, sightlineHere } from './support/sightline.ts';
import { until } from './support/until.ts';

const page = await readFile('docs/integrations.md', 'utf8');

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!,
  );
}

const URL_OF_PAGE = 'https://reports.example.com';

let service: TestService;
let key: string;
let folder: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-integrations-'));
  await writeFile(join(folder, 'header'), `Authorization: Bearer ${key}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'key'), `${key}\n`, { mode: 0o600 });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function idsIn(file: string): Promise<string[]> {
  const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map(line => JSON.parse(line).id);
}

/** Returns the ids of the reports on all pages that the loop has stored. */
async function idsOfPages(): Promise<Set<string>> {
  const names = await readdir(join(folder, 'csp')).catch(() => []);
  return new Set((await Promise.all(names.map(name => idsIn(join('csp', name))))).flat());
}

function start(script: string): ChildProcess {
  const text = script.replace(URL_OF_PAGE, service.url).replace('sleep 60', 'sleep 0.05');
  return spawn('/bin/sh', ['-c', text], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
}

async function kill(loop: ChildProcess): Promise<void> {
  // Including the processes that it started.
  process.kill(-loop.pid!, 'SIGKILL');
  await exitCode(loop);
}

describe('the integration recipe for', () => {
  it('a shell with curl misses no report, even if it is killed at any point', { tags: 'slow' }, async () => {
    const script = blocks('sh').find(code => code.startsWith('#!/bin/sh'))!;
    const names: string[] = [];
    for (let round = 0; round < 6; round++) {
      const loop = start(script);
      const loaded = [0, 1, 2].map(index => `${round}-${index}`);
      for (const name of loaded) await service.load(report('ada', 'csp', name));
      names.push(...loaded);
      await sleep(round * 10);
      await kill(loop);
    }
    const last = start(script);
    await until(async () => (await idsOfPages()).size === names.length);
    await kill(last);
    expect([...(await idsOfPages())].sort()).toEqual(names.sort());
  });

  it('a single file receives all reports', { tags: 'slow' }, async () => {
    const script = blocks('sh').find(code => code.startsWith('curl'))!;
    expect(await exitCode(start(script))).toBe(0);
    expect(await readFile(join(folder, 'csp.csv'), 'utf8')).toMatch(/^id,type,.*\r\n5-2,csp,/);
  });

  it('the command line continues from its cursor', async () => {
    const [, settings = '', args = ''] = /^(SIGHTLINE_KEY_FILE=\S+) sightline (.*)$/s.exec(
      blocks('sh').find(code => code.startsWith('SIGHTLINE'))!,
    )!;
    const here = args
      .replace(URL_OF_PAGE, service.url)
      .replaceAll('/var/lib/sightline', join(folder, 'command'))
      .replace(/\\\n|--follow/g, '');
    await mkdir(join(folder, 'command'));
    const env = { SIGHTLINE_KEY_FILE: settings.replace(/.*=\/etc\/sightline/, folder) };
    for (const name of ['first', 'second']) {
      await service.load(report('ada', 'csp', name));
      expect(await sightlineHere(here.trim().split(/\s+/), env)).toMatchObject({ code: 0, stderr: '' });
    }
    expect((await idsIn('command/csp.ndjson')).slice(-2)).toEqual(['first', 'second']);
  });

  it('Vector starts an existing command, and all YAML and JSON is valid', async () => {
    const [, vector] = blocks('yaml').map(code => parse(code));
    const [, ...args] = vector.sources.sightline.command as string[];
    const here = args.filter(arg => arg !== '--follow').map(arg => arg.replace('/var/lib/vector', folder));
    const { code } = await sightlineHere(
      [...here.map(arg => arg.replace(URL_OF_PAGE, service.url)), '--output', join(folder, 'vector')],
      { SIGHTLINE_KEY: key },
    );
    expect(code).toBe(0);
    expect(blocks('json').map(code => JSON.parse(code).kind)).toEqual(['RestApiPoller']);
  });
});
