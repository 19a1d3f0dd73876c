import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run release -- patch|minor|major|VERSION`, in the project's folder: gives the service and its client the next version,
 * and what is unreleased in CHANGELOG.md that version and today's date (UTC). It commits and publishes nothing.
 */
const HEADING = '## Unreleased\n';
const PACKAGES = ['--workspaces', '--include-workspace-root', '--no-git-tag-version'];

const [step] = process.argv.slice(2);
if (!step || !/^(patch|minor|major|\d+\.\d+\.\d+)$/.test(step)) {
  fail('Name the step: patch, minor, major, or a version such as 1.2.3.');
}
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [before, after] = changelog.split(HEADING);
if (after === undefined) fail('CHANGELOG.md has no heading "Unreleased".');
const [unreleased = ''] = after.split('\n## ');
if (!unreleased.includes('\n- '))
  fail('CHANGELOG.md says nothing under "Unreleased": there is nothing to release.');

execFileSync('npm', ['version', step, ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] });
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const today = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', `${before}${HEADING}\n## ${version} - ${today}\n${after}`);
process.stdout.write(`${version}\n`);

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
