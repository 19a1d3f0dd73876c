import { exec } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { IN_EARNEST } from './faults/scale.ts';

interface LockedPackage {
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  /** True for a package of this project. */
  link?: boolean;
}

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const { optionalDependencies, scripts, ...manifest } = JSON.parse(read('package.json'));
/** The packages that the service is built from, which the client is not. */
const PACKAGES = readdirSync(new URL('packages', root)).filter(name => name !== 'client');
const dependencies: Record<string, string> = Object.fromEntries(
  [manifest, ...PACKAGES.map(name => JSON.parse(read(`packages/${name}/package.json`)))]
    .flatMap(({ dependencies: declared = {} }) => Object.entries<string>(declared))
    .filter(([name]) => !name.startsWith('@sightline/')),
);
/** The packages that npm downloads, without those of this repository. */
const locked = Object.fromEntries(
  Object.entries(JSON.parse(read('package-lock.json')).packages as Record<string, LockedPackage>).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  ),
);
const getName = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Returns the first and fourth columns of the table below a heading. */
function listDocumented(heading: string): Map<string, string> {
  const [, section = ''] = read('docs/dependencies.md').split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)];
  return new Map(rows.map(([, name, licence]) => [name!, licence!]));
}

describe('the dependencies', () => {
  it.each([
    ['At run time', dependencies],
    ['For the embedded PostgreSQL', optionalDependencies],
  ])('are explained in the documentation: %s', (heading, declared) => {
    expect([...listDocumented(heading).keys()].sort()).toEqual(Object.keys(declared).sort());
  });

  it('have the licences that the documentation lists', () => {
    const named = [...listDocumented('At run time'), ...listDocumented('For the embedded PostgreSQL')];
    expect(named.length).toBeGreaterThan(20);
    for (const [name, licence] of named) {
      expect({ name, licence: locked[`node_modules/${name}`]?.license }).toEqual({ name, licence });
    }
  });

  it('have the same version in every package', () => {
    for (const name of PACKAGES) {
      const { dependencies: declared = {} } = JSON.parse(read(`packages/${name}/package.json`));
      const others = Object.entries(declared).filter(([of]) => !of.startsWith('@sightline/'));
      expect(dependencies, name).toMatchObject(Object.fromEntries(others));
    }
  });

  it('have exact versions', () => {
    for (const version of Object.values({ ...dependencies, ...optionalDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });

  it('are all used', () => {
    const folders = PACKAGES.map(name => `packages/${name}/src`);
    const sources = ['src', 'schema', 'sql', 'bin', ...folders].flatMap(folder =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.(ts|js)$/.test(file))
        .map(file => read(`${folder}/${file}`)),
    );
    const unused = Object.keys(dependencies).filter(
      name => !sources.some(text => new RegExp(`['"]${name}(/[^'"]*)?['"]`).test(text)),
    );
    expect(unused).toEqual([]);
  });
});

describe('the lock file', () => {
  it('has a hash of every package', () => {
    const without = Object.entries(locked).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    // The linter for other platforms, as docs/dependencies.md explains.
    const others = ['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'];
    const allowed = [...others, 'linux-arm64-musl', 'linux-x64-musl'].map(system => `@biomejs/cli-${system}`);
    expect(without.map(([path]) => getName(path)).sort()).toEqual(allowed.sort());
    for (const [, { dev, optional }] of without)
      expect({ dev, optional }).toEqual({ dev: true, optional: true });
  });

  it('contains no registry URLs', () => {
    expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('contains only permissive licences for runtime packages', () => {
    const licences = Object.values(locked)
      .filter(({ dev }) => !dev)
      .map(({ license }) => license);
    const free = [
      'MIT',
      'MIT-0',
      '(MIT OR EUPL-1.1+)',
      'ISC',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'Apache-2.0',
      'BlueOak-1.0.0',
      '0BSD',
      'Unlicense',
    ];
    expect(licences.filter(licence => !free.includes(licence ?? ''))).toEqual([]);
  });

  it('lists the packages with install scripts, and npm runs none of them', () => {
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect([...new Set(scripted.map(([path]) => getName(path)))].sort()).toEqual([
      ...Object.keys(optionalDependencies).sort(),
      'esbuild',
      'msw',
    ]);
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });
});

interface Component {
  purl: string;
  properties?: { name: string }[];
}

// This starts npm, which is slow.
it.runIf(IN_EARNEST)(
  '"npm run sbom" lists every part of the service and marks development packages',
  async () => {
    // Runs the script's command directly, to avoid starting npm.
    const { stdout } = await promisify(exec)(scripts.sbom, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
    const isForDevelopment = ({ properties }: Component) =>
      properties?.some(({ name }) => name === 'cdx:npm:package:development') ?? false;
    const served = components
      .filter(part => !isForDevelopment(part))
      .map(({ purl }) => decodeURIComponent(purl));
    expect(bomFormat).toBe('CycloneDX');
    for (const [name, version] of Object.entries(dependencies)) {
      expect(served).toContain(`pkg:npm/${name}@${version}`);
    }
    expect(served.filter(purl => /vitest|msw|fastify@/.test(purl))).toEqual([]);
  },
);
