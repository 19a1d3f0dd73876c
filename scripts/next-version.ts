import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HEADING = '## Unreleased\n';
const PACKAGES = ['--workspaces', '--include-workspace-root', '--no-git-tag-version'];

/**
 * Sets the next version of the service, its packages and its image, and dates the unreleased section of CHANGELOG.md
 * (UTC). Commits and publishes nothing.
 * @param folder of the project
 * @returns the exit code: 1 if nothing was released, after printing the reason
 */
export function nextVersion([step]: readonly string[], folder: string): number {
  if (!step || !/^(patch|minor|major|\d+\.\d+\.\d+)$/.test(step)) {
    return refuse('Name the step: patch, minor, major, or a version such as 1.2.3.');
  }
  const at = (name: string) => join(folder, name);
  const changelog = readFileSync(at('CHANGELOG.md'), 'utf8');
  const [before, after] = changelog.split(HEADING);
  if (after === undefined) return refuse('CHANGELOG.md has no heading "Unreleased".');
  const [unreleased = ''] = after.split('\n## ');
  if (!unreleased.includes('\n- '))
    return refuse('CHANGELOG.md says nothing under "Unreleased": there is nothing to release.');

  execFileSync('npm', ['version', step, ...PACKAGES], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(at('CHANGELOG.md'), `${before}${HEADING}\n## ${version} - ${today}\n${after}`);
  const dockerfile = readFileSync(at('Dockerfile'), 'utf8');
  writeFileSync(at('Dockerfile'), dockerfile.replace(/^ARG VERSION=.*$/m, `ARG VERSION=${version}`));
  process.stdout.write(`${version}\n`);
  return 0;
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
