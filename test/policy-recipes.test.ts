import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { open, personal, plan, report } from './support/fixtures.ts';
import { startService, type TestService } from './support/service.ts';
import { program } from './support/sightline.ts';

const page = await readFile('docs/policies.md', 'utf8');
const [github, gitlab] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => parse(text!));

let service: TestService;
let key: string;
let folder: string;
let base: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada'));
  const date = new Date(Date.now() - 86_400_000).toISOString();
  const common = { date, uri: 'https://shop.example.com/cart', directive: 'script-src-elem' };
  await service.load(
    report('ada', 'csp', 'cdn', { ...common, blockedUri: 'https://cdn.example/a.js' }),
    report('ada', 'csp', 'evil', { ...common, blockedUri: 'https://evil.example/a.js' }),
  );
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-recipes-'));
  await mkdir(join(folder, 'bin'));
  await writeStandIn('npm', 'echo "$@" > npm.log');
  await writeStandIn('sightline', `exec "${process.execPath}" "${program()}" "$@"`);
  git('init', '--quiet');
  await commit("default-src 'self' https://cdn.example");
  base = git('rev-parse', 'HEAD');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function writeStandIn(name: string, script: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}

async function commit(policy: string): Promise<void> {
  await mkdir(join(folder, 'public'), { recursive: true });
  await writeFile(join(folder, 'public/_headers'), `/*\n  Content-Security-Policy: ${policy}\n`);
  git('add', 'public');
  git('commit', '--quiet', '--message', 'policy');
}

function run(script: string, env: Record<string, string>): Promise<{ code: number; stdout: string }> {
  const text = script.replaceAll('https://reports.example.com', service.url);
  const settings = {
    ...env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    SIGHTLINE_PACKAGE: 'archive.tgz',
  };
  return new Promise(resolve => {
    execFile('bash', ['-e', '-c', text], { cwd: folder, env: settings }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout }),
    );
  });
}

const step = () =>
  github.jobs.policy.steps.find(({ run }: { run?: string }) => run?.includes('policy check'));

const RECIPES: Record<string, (env: Record<string, string>) => Promise<{ code: number; stdout: string }>> = {
  GitHub: env => run(step().run, { ...env, BASE: base, RUNNER_TEMP: join(folder, 'bin') }),
  GitLab: env => run(gitlab.policy.script.join('\n'), { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
};

describe.each(Object.entries(RECIPES))('the recipe for %s', (name, check) => {
  it('passes if nothing new is blocked, and fails otherwise', { tags: 'slow' }, async () => {
    const env = { SIGHTLINE_KEY: key };
    await commit("default-src 'self' https://cdn.example https://further.example");
    expect(await check(env)).toMatchObject({ code: 0 });
    await commit("default-src 'self'");
    const { code, stdout } = await check(env);
    expect(code).toBe(1);
    expect(stdout).toContain('script-src-elem https://cdn.example: 1 report on 1 page');
    expect(stdout).not.toContain('evil.example');
    if (name === 'GitHub') expect(stdout).toMatch(/^::error file=public\/_headers,line=2,/);
  });

  it('fails without a key', { tags: 'slow' }, async () => {
    expect((await check({})).code).toBe(2);
  });
});

it('the GitHub recipe declares all environment variables that its step uses', () => {
  expect(Object.keys(step().env)).toEqual(['BASE', 'SIGHTLINE_KEY', 'SIGHTLINE_PACKAGE']);
});
