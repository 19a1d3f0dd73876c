import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const tour = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/tour.ts', ...args], { encoding: 'utf8' });

test('npm run tour says what it takes, also where an option is none, and starts nothing', () => {
  const help = tour('--help');
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toContain('npm run tour -- --all FOLDER');
  const unknown = tour('--al');
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain(help.stdout);
});
