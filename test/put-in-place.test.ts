import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { putInPlace } from '../scripts/put-in-place.ts';
import { makeFolder } from './support/folder.ts';

const ENTRY = 'src/cli/index.js';

const folder = makeFolder();
let folders = 0;
afterAll(() => rmSync(folder, { recursive: true }));

/** The folder into which versions of a service are built. */
function startFolder() {
  const dist = join(folder, `${++folders}`, 'dist');
  const build = (files: Record<string, string>) => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(`${dist}.new`, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    putInPlace(`${dist}.new`, dist, ENTRY);
  };
  const has = (name: string) => existsSync(join(dist, name));
  return { dist, build, has };
}

it('a build keeps the chunks of the previous version and removes those of the one before it', () => {
  const { dist, build, has } = startFolder();
  for (const version of [1, 2, 3])
    build({ [ENTRY]: `v${version}`, [`src/chunks/part-${version}.js`]: '', 'openapi.yaml': `v${version}` });
  expect([1, 2, 3].map(version => has(`src/chunks/part-${version}.js`))).toEqual([false, true, true]);
  expect([ENTRY, 'openapi.yaml'].map(name => readFileSync(join(dist, name), 'utf8'))).toEqual(['v3', 'v3']);
  expect(existsSync(`${dist}.new`)).toBe(false);
});

it('a build removes migrations that the new version does not contain', () => {
  const { build, has } = startFolder();
  build({ [ENTRY]: 'v1', 'sql/migrations/1.sql': '', 'sql/migrations/2.sql': '' });
  build({ [ENTRY]: 'v2', 'sql/migrations/1.sql': '' });
  expect([1, 2].map(number => has(`sql/migrations/${number}.sql`))).toEqual([true, false]);
});

it('a build keeps all chunks of a previous build without a file list', () => {
  const { dist, build, has } = startFolder();
  mkdirSync(join(dist, 'src/chunks'), { recursive: true });
  writeFileSync(join(dist, 'src/chunks/old.js'), '');
  build({ [ENTRY]: 'v1' });
  expect(has('src/chunks/old.js')).toBe(true);
  build({ [ENTRY]: 'v2' });
  expect(has('src/chunks/old.js')).toBe(false);
});

it('a build never removes a file that a running process keeps reading', { tags: 'slow' }, async () => {
  const { dist, build } = startFolder();
  const version = (n: number) => ({
    [ENTRY]: `v${n}`,
    'src/pages/a.html': `v${n}`,
    ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`src/chunks/${i}.js`, `v${n}`])),
  });
  build(version(0));
  const program = `
    const { readFileSync } = require('node:fs');
    process.stdin.on('end', () => { clearInterval(reading); console.log('reads ' + reads); }).resume();
    let reads = 0;
    const read = () => ['${ENTRY}', 'src/pages/a.html', 'src/chunks/7.js'].forEach(file => {
      if (readFileSync('${dist}/' + file, 'utf8') === '') throw new Error('empty: ' + file);
      reads++;
    });
    const reading = setInterval(() => { for (let i = 0; i < 100; i++) read(); }, 0);
    console.log('ready');`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', data => {
    printed += data;
  });
  await expect.poll(() => printed).toContain('ready');
  for (let n = 1; n <= 30; n++) build(version(n));
  child.stdin.end();
  const code = await new Promise(resolve => child.on('close', resolve));
  expect([code, printed]).toEqual([0, expect.stringMatching(/reads [1-9]\d+/)]);
  expect(readdirSync(dist).sort()).toEqual(['files.json', 'src']);
});
