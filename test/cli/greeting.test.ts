import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStoredKey, writePrivate } from '../../src/cli/first-start.ts';
import { greeting } from '../../src/cli/greeting.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sightline-it's-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const URL = 'http://127.0.0.1:4000';
const FIRST = ['', `Sightline answers at ${URL}`, ''];
const LINKS = [`  Documentation    ${URL}/docs`, `  GraphQL          ${URL}/graphql`, ''];
const IMPORT = ['Bring your reports, from another shell:', '  npx sightline import --account own ~/Maildir'];

function greet(more: Partial<Parameters<typeof greeting>[0]> = {}): string[] {
  const existing = { url: URL, page: undefined, account: 'own', collector: undefined, keysFile: '/none' };
  return greeting({ ...existing, ...more }).split('\n');
}

it('a greeting shows new keys of the demo with an example', () => {
  const keys = { personal: 'svc_d_1', team: 'svc_t_2', internal: 'svc_i_3' };
  expect(greet({ keys, keysFile: '/data/demo-keys.env', page: { code: 'c0de' } })).toEqual([
    ...FIRST,
    `  Page             ${URL}/app#code=c0de  (signs in once)`,
    ...LINKS,
    '  Personal key     svc_d_1',
    '  Team key         svc_t_2',
    '  Internal token   svc_i_3  (for /graphql and /export)',
    '',
    'The keys are shown in full only once. They are saved in /data/demo-keys.env',
    '',
    'Try it:',
    `  curl -H 'Authorization: Bearer svc_t_2' ${URL}/v1/team`,
    '',
    'Ctrl-C ends it.',
  ]);
});

it('a greeting shows the new key of the own account, and how to bring reports', () => {
  expect(greet({ ownKey: 'svc_t_9', keysFile: '/data/own-key.env', page: { code: undefined } })).toEqual([
    ...FIRST,
    `  Page             ${URL}/app`,
    ...LINKS,
    '  Key              svc_t_9',
    '',
    'It is shown in full only once. It is saved in /data/own-key.env',
    '',
    ...IMPORT,
    '',
    'Ctrl-C ends it.',
  ]);
});

it('a greeting names the file with the keys of an earlier start', () => {
  const [own, demo] = [join(folder, 'own-key.env'), join(folder, 'demo-keys.env')];
  for (const file of [own, demo]) writeFileSync(file, '');
  expect(greet({ keysFile: own })).toEqual([
    ...FIRST,
    ...LINKS,
    `The key is in ${own}`,
    '',
    ...IMPORT,
    '',
    'Ctrl-C ends it.',
  ]);
  const quoted = `'${demo.replace("'", "'\\''")}'`;
  expect(greet({ keysFile: demo }).slice(6)).toEqual([
    `The demo's keys are in ${demo}`,
    '',
    'Try it:',
    `  curl -H "Authorization: Bearer $(sed -n s/^TEAM_KEY=//p ${quoted})" ${URL}/v1/team`,
    '',
    'Ctrl-C ends it.',
  ]);
});

it('a greeting without any keys says how to create one, and where browsers report to', () => {
  const collector = 'http://127.0.0.1:4010/r/token';
  expect(greet({ account: 'acme', collector }).slice(6)).toEqual([
    'Create a key for one of its accounts:',
    '  npx sightline keys create --account ID',
    '',
    `Browsers report to ${collector}`,
    'The headers that make them do so:',
    `  npx sightline collect headers --account acme --url ${collector}`,
    '',
    'Ctrl-C ends it.',
  ]);
});

it('a file of keys is private, whatever was there before', async () => {
  const [open, link, target] = ['open', 'link', 'target'].map(name => join(folder, 'new', 'keys', name));
  await writePrivate(target!, ['before']);
  writeFileSync(open!, 'before, and longer', { mode: 0o644 });
  symlinkSync(target!, link!);
  for (const file of [open!, link!]) {
    await writePrivate(file, ['A=1', 'B=2']);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['A=1\nB=2\n', 0o600]);
  }
  expect(readFileSync(target!, 'utf8')).toBe('before\n');
});

it.each([
  ['PERSONAL_KEY=svc_d_1\nTEAM_KEY=svc_t_2\n', 'svc_d_1'],
  ['TEAM_KEY=svc_t_2\nPERSONAL_KEY=svc_d_1\n', 'svc_d_1'],
  ['OWN_KEY=svc_t_9\n', 'svc_t_9'],
  ['MY_OWN_KEY=svc_t_9\n', undefined],
  ['OWN_KEY=\n', undefined],
  ['', undefined],
])('the stored key of %j is %j', (content, key) => {
  const file = join(folder, 'stored');
  writeFileSync(file, content);
  expect(readStoredKey(file)).toBe(key);
  expect(readStoredKey(`${file} of nobody`)).toBeUndefined();
});
