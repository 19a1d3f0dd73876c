import { expect, test } from 'vitest';
import { tourOptions } from '../scripts/tour-options.ts';
import { toOutcome } from './support/sightline.ts';

/** Returns the outcome for options with which nothing is started. */
const tour = (...args: string[]) => toOutcome(async () => tourOptions(args) as number);

test('npm run tour explains its options and starts nothing for --help or an unknown option', async () => {
  const help = await tour('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('npm run tour -- --all FOLDER');
  const unknown = await tour('--al');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain(help.stdout);
  expect(tourOptions(['--all', 'here', '--only', 'csp'])).toMatchObject({ all: 'here', only: 'csp' });
});
