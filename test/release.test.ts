import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextVersion } from '../scripts/next-version.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { builtAt } from './support/built.ts';
import { toOutcome } from './support/sightline.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-release-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface PackageFiles {
  files: { path: string }[];
}

/** Creates empty files with the same names, because npm would compress the real ones just to list their names. */
function nameFiles(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) nameFiles(join(from, name), join(to, name));
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, '');
}

// Starting npm is slow, and only releases depend on these.
describe.runIf(IN_EARNEST)('npm run package', () => {
  it('builds first, so every package contains the service', () => {
    const scripts = { ...JSON.parse(readFileSync('package.json', 'utf8')).scripts, build: 'exit 7' };
    const failing = { name: 'sightline', version: '0.1.0', scripts };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(failing));
    copyFileSync('.npmrc', join(folder, '.npmrc'));
    const { status } = spawnSync('npm', ['run', 'package'], { cwd: folder });
    expect(status).toBe(7);
  });

  it('contains the build, without sources, tests and tools', () => {
    nameFiles(builtAt('dist'), join(folder, 'dist'));
    for (const name of ['bin', 'src', 'test/support', 'LICENSE', 'README.md', 'CHANGELOG.md'])
      nameFiles(name, join(folder, name));
    copyFileSync('package.json', join(folder, 'package.json'));
    const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(output) as [PackageFiles];
    const paths = files.map(({ path }) => path);
    const outside = paths.filter(path => !/^(bin|dist)\//.test(path));
    expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(paths).toEqual(
      expect.arrayContaining(['bin/sightline.js', 'dist/src/cli/index.js', 'dist/openapi.yaml']),
    );
    expect(paths.filter(path => /\.(map|ts|tsx)$/.test(path))).toEqual([]);
  });
});

describe('npm run release', () => {
  const CHANGELOG =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n';
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const script = resolve('scripts/release.ts');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', tsx, script, ...args], { cwd: folder, encoding: 'utf8' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  beforeEach(() => {
    mkdirSync(join(folder, 'packages/client'), { recursive: true });
    const root = { name: 'sightline', version: '0.1.0', private: true, workspaces: ['packages/client'] };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
    const client = { name: '@sightline/client', version: '0.1.0' };
    writeFileSync(join(folder, 'packages/client/package.json'), JSON.stringify(client));
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
    writeFileSync(join(folder, 'Dockerfile'), 'FROM node\nARG VERSION=0.1.0\nARG REVISION=\n');
  });

  it.runIf(IN_EARNEST)('sets the next version of service, client and image, and dates the changelog', () => {
    const { status, stdout, stderr } = release('minor');
    expect({ status, stdout, stderr: stderr.replace(/^npm warn .*\n/gm, '') }).toEqual({
      status: 0,
      stdout: '0.2.0\n',
      stderr: '',
    });
    for (const name of ['package.json', 'packages/client/package.json'])
      expect(JSON.parse(read(name)).version).toBe('0.2.0');
    expect(read('Dockerfile')).toBe('FROM node\nARG VERSION=0.2.0\nARG REVISION=\n');
    const today = new Date().toISOString().slice(0, 10);
    expect(read('CHANGELOG.md')).toBe(
      CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 0.2.0 - ${today}\n`),
    );
  });

  it('rejects an unknown step and an empty release', async () => {
    const refusal = (step: string) => toOutcome(async () => nextVersion([step], folder));
    expect(await refusal('now')).toMatchObject({ code: 1, stderr: expect.stringContaining('Name the step') });
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n',
    );
    expect(await refusal('patch')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to release'),
    });
    expect(JSON.parse(read('package.json')).version).toBe('0.1.0');
  });
});

it('the service, its packages, its image and the changelog have the same version', () => {
  const { version, workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = (workspaces as string[]).map(
    name => JSON.parse(readFileSync(`${name}/package.json`, 'utf8')).version,
  );
  expect(new Set(versions)).toEqual(new Set([version]));
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`\nARG VERSION=${version}\n`);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(
    new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}`, 'm'),
  );
});
