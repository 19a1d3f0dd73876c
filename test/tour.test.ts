import { expect, test } from 'vitest';
import { tourOptions } from '../scripts/tour-options.ts';
import { outcomeOf } from './support/sightline.ts';

/** The outcome of options that start nothing. */
const tour = (...args: string[]) => outcomeOf(async () => tourOptions(args) as number);

test('npm run tour says what it takes, also where an option is none, and starts nothing', async () => {
  const help = await tour('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('npm run tour -- --all FOLDER');
  const unknown = await tour('--al');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain(help.stdout);
  expect(tourOptions(['--all', 'here', '--only', 'csp'])).toMatchObject({ all: 'here', only: 'csp' });
});
