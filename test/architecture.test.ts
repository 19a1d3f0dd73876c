// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { listSources, type SourceFile } from './support/sources.ts';

const LAYERS = { src: listSources('src'), schema: listSources('schema'), sql: listSources('sql') };
const ALL = Object.values(LAYERS).flat();

const PACKAGES = readdirSync('packages').map(name => {
  const { dependencies, devDependencies, optionalDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(`packages/${name}/package.json`, 'utf8'),
  );
  const declared = {
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...peerDependenciesMeta,
  };
  const folder = `packages/${name}/`;
  return { folder, declared: Object.keys(declared), files: listSources(`${folder}src`) };
});

/** The core and all packages. */
const SOURCES = [...ALL, ...PACKAGES.flatMap(({ files }) => files)];

/** The name of each domain, which is the same in all layers. */
const DOMAINS = [
  'account',
  'analytics',
  'audit',
  'certificates',
  'filters',
  'policies',
  'reports',
  'watches',
];

const paths = (files: readonly SourceFile[]) => files.map(({ path }) => path);
/** Violations of a rule, as `file: violation`. */
const breaches = (files: readonly SourceFile[], of: (file: SourceFile) => readonly string[]) =>
  files.flatMap(file => of(file).map(what => `${file.path}: ${what}`));
const targets = ({ imports }: SourceFile) => imports.map(({ target }) => target);

/** A folder of a layer, such as `src/http`. Files directly in the layer count as one folder. */
const measureRoom = (path: string) => path.split('/').slice(0, 2).join('/');

/** Returns every cycle that a depth-first walk finds. */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const finished = new Set<string>();
  const cyclesFrom = (node: string, trail: readonly string[]): string[] => {
    if (trail.includes(node)) return [[...trail.slice(trail.indexOf(node)), node].join(' → ')];
    if (finished.has(node)) return [];
    const found = [...(graph.get(node) ?? [])].flatMap(next => cyclesFrom(next, [...trail, node]));
    finished.add(node);
    return found;
  };
  return [...graph.keys()].flatMap(node => cyclesFrom(node, []));
}

describe('imports', () => {
  it('go only from src to schema to sql', { tags: 'slow' }, () => {
    const above = { src: ['test/'], schema: ['src/', 'test/'], sql: ['schema/', 'src/', 'test/'] };
    // The executor does not import the schema, which passes in the writers for its types.
    const isExecutor = (target: string) => target.startsWith('src/executor/');
    for (const [layer, files] of Object.entries(LAYERS)) {
      const forbidden = above[layer as keyof typeof above];
      const isBack = (target: string) =>
        !isExecutor(target) && forbidden.some(folder => target.startsWith(folder));
      expect(breaches(files, file => targets(file).filter(isBack))).toEqual([]);
    }
  });

  it('refer to existing files', () => {
    const seen = new Set(paths(ALL));
    const isOurs = (target: string) =>
      /^(src|schema|sql)\/.*\.tsx?$/.test(target) && !target.endsWith('.generated.ts');
    expect(
      breaches(ALL, file => targets(file).filter(target => isOurs(target) && !seen.has(target))),
    ).toEqual([]);
    expect(ALL.flatMap(targets).filter(isOurs).length).toBeGreaterThan(100);
  });

  it('form no cycles of files, including type imports', () => {
    const graph = new Map(SOURCES.map(file => [file.path, new Set(targets(file))]));
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('form no cycles of folders, including type imports', () => {
    const graph = new Map<string, Set<string>>();
    for (const file of ALL) {
      const room = graph.get(measureRoom(file.path)) ?? new Set<string>();
      for (const target of targets(file)) room.add(measureRoom(target));
      graph.set(measureRoom(file.path), room);
    }
    for (const [room, others] of graph) others.delete(room);
    expect(graph.size).toBeGreaterThan(30);
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('end in a file extension, which Node requires', () => {
    const isRelativeTo = (target: string) =>
      /^(src|schema|sql)\//.test(target) && !/\.(tsx?|json)$/.test(target);
    expect(breaches(ALL, file => targets(file).filter(isRelativeTo))).toEqual([]);
  });
});

describe('a page', () => {
  const PACKAGE = listSources('packages/web/src');
  const SHARED = 'packages/web/src/browser/';
  const BROWSERS = [SHARED, 'packages/web/src/app/browser/', 'packages/web/src/docs/browser/'];

  /**
   * Modules that also run outside of Node: how a site is configured to send reports, and which directive of a policy
   * applies.
   */
  const PLAIN = ['@sightline/collector/headers', '@sightline/csp/directives'];

  it.each(BROWSERS)(
    'imports only its own files, shared files, Preact and packages without Node: %s',
    browser => {
      const files = PACKAGE.filter(({ path }) => path.startsWith(browser));
      const isForeign = (target: string) =>
        ![browser, SHARED].some(folder => target.startsWith(folder)) &&
        !/^preact(\/|$)/.test(target) &&
        !PLAIN.includes(target);
      expect(breaches(files, file => targets(file).filter(isForeign))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );

  it('reads the current address only in the frame and in the modules for addresses', () => {
    const files = PACKAGE.filter(({ path }) => path.startsWith('packages/web/src/app/browser/'));
    /** The module for addresses, the iframe that passes on an address, and the module for links. */
    const READERS = /\/(address\.ts|shell\.tsx|stored-key\.ts)$/;
    const readers = files.filter(({ text }) => /\buseAddress\b|\blocation\./.test(text));
    expect(paths(readers).filter(path => !READERS.test(path))).toEqual([]);
    expect(readers).toHaveLength(3);
  });
});

describe('a package', () => {
  const isWithin = (target: string, folder: string) => target.startsWith(folder);

  it.each(PACKAGES)(
    'imports only its own files and the dependencies in its package.json: $folder',
    ({ folder, declared, files }) => {
      const isForeign = (target: string) =>
        !isWithin(target, `${folder}src/`) &&
        !target.startsWith('node:') &&
        !declared.some(name => target === name || target.startsWith(`${name}/`));
      expect(breaches(files, file => targets(file).filter(isForeign))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );

  it('is imported by the core only through its name and exports', () => {
    expect(breaches(ALL, file => targets(file).filter(target => isWithin(target, 'packages/')))).toEqual([]);
  });

  /** The folders from which these folders of `src` may import. */
  const FOLDERS: Readonly<Record<string, readonly string[]>> = {
    'src/collect/': ['src/setting-types.ts'],
    'src/pages/': ['src/http/', 'src/login-settings.ts'],
    'src/mcp/': ['src/http/', 'src/observability/', 'sql/report/'],
  };

  it.each(Object.entries(FOLDERS))(
    'restricts the imports of %s as described in ARCHITECTURE.md',
    (folder, others) => {
      const files = ALL.filter(({ path }) => isWithin(path, folder));
      const isAllowed = (target: string) => [folder, ...others].some(allowed => isWithin(target, allowed));
      const isOurs = (target: string) => /^(src|schema|sql|test)\//.test(target);
      expect(breaches(files, file => targets(file).filter(to => isOurs(to) && !isAllowed(to)))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );
});

describe('the command line', () => {
  /** Returns the files that are loaded when a file is imported. */
  function loadedBy(path: string, seen = new Set<string>()): Set<string> {
    if (seen.has(path)) return seen;
    seen.add(path);
    const { imports = [] } = ALL.find(file => file.path === path) ?? {};
    for (const { target, isType, isLater } of imports) if (!isType && !isLater) loadedBy(target, seen);
    return seen;
  }

  it('loads no command before it is run', () => {
    const { imports } = ALL.find(({ path }) => path === 'src/cli/index.ts')!;
    const commands = imports.filter(({ isLater }) => isLater).map(({ target }) => target);
    expect(commands.length).toBeGreaterThan(10);
    const loaded = loadedBy('src/cli/index.ts');
    expect(commands.filter(path => loaded.has(path))).toEqual([]);
  });

  it.each(['config', 'export', 'health', 'import', 'keys', 'load', 'maintain', 'migrate', 'prune', 'serve'])(
    'does not load the schema for %s',
    name => {
      const loaded = [...loadedBy('src/cli/index.ts'), ...loadedBy(`src/cli/${name}.ts`)];
      expect(loaded.filter(target => target === 'graphql' || target.startsWith('schema/'))).toEqual([]);
    },
  );
});

describe('a domain', () => {
  const file = (layer: 'schema' | 'sql', domain: string) =>
    LAYERS[layer].find(({ path }) => path === `${layer}/${domain}.ts`);

  it('has the same name in every layer and in a test', () => {
    const tests = paths(listSources('test/rest'));
    for (const domain of DOMAINS) {
      expect(file('schema', domain), domain).toBeDefined();
      expect(file('sql', domain), domain).toBeDefined();
      expect(tests).toContain(`test/rest/${domain}.test.ts`);
    }
  });

  it('is included in the schema', () => {
    const index = LAYERS.schema.find(({ path }) => path === 'schema/index.ts')!;
    const gathered = targets(index)
      .map(target => /^schema\/(\w+)\.ts$/.exec(target)?.[1])
      .filter(name => name && name !== 'builder' && name !== 'scalars');
    expect(gathered.sort()).toEqual(DOMAINS);
  });

  it.each(DOMAINS)('%s imports no other domain of its layer', domain => {
    const others = DOMAINS.filter(other => other !== domain);
    for (const layer of ['schema', 'sql'] as const) {
      const isOther = (target: string) => others.some(other => target === `${layer}/${other}.ts`);
      expect(targets(file(layer, domain)!).filter(isOther), layer).toEqual([]);
    }
  });

  /**
   * A domain imports the tenant (`Account`) and the rows of the SQL module with its name. It can also import the two
   * tables of report types and filters. Queries used by several domains are loaded in `schema/loaders.ts`.
   */
  it.each(DOMAINS)('%s imports only the SQL module with its own name', domain => {
    const { imports } = file('schema', domain)!;
    const foreign = imports
      .filter(({ target }) => target.startsWith('sql/') && target !== `sql/${domain}.ts`)
      .filter(({ target, isType }) => !(isType && target === 'sql/account.ts'))
      .filter(({ target }) => !/^sql\/report\/filters?\.ts$/.test(target));
    expect(foreign).toEqual([]);
  });
});

describe('module boundaries', () => {
  /** Samples in the documentation do both. */
  const PROGRAMS = SOURCES.filter(({ path }) => path !== 'packages/web/src/docs/browser/samples.ts');
  const filesWith = (pattern: RegExp, files = PROGRAMS) =>
    paths(files.filter(({ text }) => pattern.test(text)));
  it('allow only config.ts to read the environment, and messages.ts for workers', () => {
    const files = ['src/config.ts', 'src/workers/messages.ts'];
    expect(filesWith(/process\.env|from '(node:)?process'/)).toEqual(files);
  });

  it('allow only respond.ts to create error responses, except for GraphQL over HTTP', () => {
    const isError =
      /status: (?!4xx)[45]\d\d|\[[45]\d\d, '|statusCode = [45]|writeHead\([45]|\{\s*"?error"?: /;
    const files = LAYERS.src.filter(({ path }) => !/^src\/graphql\//.test(path));
    expect(filesWith(isError, files)).toEqual(['src/http/respond.ts']);
  });

  it('allow only the connection hand-over to use undocumented features of Node', () => {
    const inside =
      /'(?:internalMessage|newconn)'|process\.binding|'node:_\w|\w\._(?!source\b|tls\b|meta\b)[a-z]/;
    expect(filesWith(inside)).toEqual(['src/workers/hand-over.ts']);
  });

  /**
   * Files that parse only addresses from the operator, the caller or the browser itself, or file names. link.ts parses
   * addresses of the service, up to a maximum length.
   */
  const OWN_ADDRESSES = [
    'sql/operator/migrate.ts',
    'src/config.ts',
    'packages/tools/src/alert/command.ts',
    'packages/tools/src/alert/link.ts',
    'packages/client/src/client.ts',
    'packages/client/src/msw-exports.ts',
    'packages/client/src/msw.ts',
    'packages/importer/src/imap/address.ts',
    'packages/web/src/app/browser/address.ts',
    'packages/web/src/app/browser/format.ts',
    'packages/web/src/app/browser/views/try-policy/outcome.tsx',
    'packages/web/src/docs/browser/main.tsx',
    'packages/tools/src/terminal/values.ts',
  ];

  it('allow only url.ts and addresses.ts to parse untrusted addresses, since URL needs quadratic time', () => {
    const readers = filesWith(
      /new URL\((?!.*import\.meta)|\bURL\.(?:canParse|parse)\(|domainTo(?:ASCII|Unicode)\(|\btoASCII\(/,
    );
    const bounded = ['packages/csp/src/url.ts', 'packages/reports/src/addresses.ts'];
    expect([...readers].sort()).toEqual([...OWN_ADDRESSES, ...bounded].sort());
  });

  it('allow only the OpenAPI description of a checkout to require a package at run time', () => {
    expect(filesWith(/createRequire\(import\.meta\.url\)\('(?![./])/, ALL)).toEqual([
      'src/pages/description.ts',
    ]);
  });

  it('allow only the operator module to open connections with write access', () => {
    const opens = ({ text }: SourceFile) => /\bnew CommandConnection\(/.test(text);
    expect(paths(ALL.filter(opens))).toEqual(['sql/operator/connect.ts']);
  });

  it('allow no module to use the console', () => {
    expect(filesWith(/\bconsole\s*[.[]/)).toEqual([]);
  });

  it('allow no schema file to access keys', () => {
    expect(
      breaches(LAYERS.schema, file => targets(file).filter(target => /^sql\/(operator\/)?key/.test(target))),
    ).toEqual([]);
  });
});

describe('a constant', () => {
  /** The home of lengths of time, and of those of the page. The other packages import nothing. */
  const HOMES = ['packages/reports/src/calendar.ts', 'packages/web/src/app/browser/durations.ts'];
  const INDEPENDENT = /^packages\/(client|collector|csp|embedded|pg-client)\//;
  const filesWith = (pattern: RegExp) => paths(SOURCES.filter(({ text }) => pattern.test(text)));
  const others = (homes: readonly string[]) =>
    SOURCES.filter(({ path }) => !homes.includes(path) && !INDEPENDENT.test(path));

  it('for the length of an hour or day has one definition', () => {
    const length =
      /\b(?:86_?400(?:_?000)?|3_?600_?000|(?:24|60) \* 60 \* (?:60|1_?000)|24 \* 3_?600(?:_000)?)\b|= 3_?600;/;
    expect(breaches(others(HOMES), ({ text }) => text.match(length)?.slice(0, 1) ?? [])).toEqual([]);
    expect(paths(SOURCES)).toEqual(expect.arrayContaining(HOMES));
  });

  it('for the length of a host name, and for the keys of advisory locks, has one definition', () => {
    expect(filesWith(/= 253;/)).toEqual(['packages/csp/src/url.ts']);
    expect(filesWith(/\b744_?6\d\d_?\d\d\d(?:_?\d)?\b|advisory\w*lock\w*\(\d/)).toEqual([
      'sql/advisory-locks.ts',
    ]);
  });
});

describe('tenant-scoped data', () => {
  /** Queries for internal tokens and key lookups, and queries without an account. */
  const NOT_OWNED = [
    'anyAccount',
    'anyAccounts',
    'callersByDigest',
    'privileges',
    'pendingMigrations',
    'readPosition',
    'listUnreadableWorkers',
  ];

  it('is queried only with an AccountId', () => {
    const queries = LAYERS.sql.flatMap(file => databaseFunctions(file));
    expect(queries.length).toBeGreaterThan(15);
    const without = queries.filter(({ takesAccount }) => !takesAccount).map(({ name }) => name);
    expect(NOT_OWNED).toEqual(expect.arrayContaining(without));
  });

  it('is queried only through the check that rejects rows of other accounts', () => {
    const unfenced = LAYERS.sql
      .flatMap(file => databaseFunctions(file))
      .filter(({ text, takesAccount }) => takesAccount && /\.rows\b/.test(text))
      .map(({ name }) => name);
    expect(unfenced).toEqual([]);
  });

  it('has an AccountId that is never cast from a string', () => {
    expect(breaches(ALL, ({ text }) => text.match(/as (unknown as )?AccountId\b/g) ?? [])).toEqual([]);
  });
});

/** Returns the exported functions that query the service's database. */
function databaseFunctions(file: SourceFile) {
  if (!/\bDatabase\b/.test(file.text)) return [];
  const { tree } = file;
  return tree.statements
    .filter(ts.isFunctionDeclaration)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .filter(({ parameters }) => parameters.some(({ type }) => type?.getText(tree) === 'Database'))
    .map(statement => ({
      name: statement.name!.text,
      text: statement.getText(tree),
      takesAccount: statement.parameters.some(({ type }) => type && namesAccount(type, tree)),
    }));
}

/** Checks whether a type is an AccountId, a list of them, or an interface of this layer that requires one. */
function namesAccount(type: ts.TypeNode, tree: ts.SourceFile): boolean {
  const text = type.getText(tree);
  if (/\bAccountId\b/.test(text)) return true;
  return LAYERS.sql.some(file =>
    file.tree.statements
      .filter(ts.isInterfaceDeclaration)
      .filter(({ name }) => new RegExp(`\\b${name.text}\\b`).test(text))
      .some(({ members }) =>
        members.some(
          member => ts.isPropertySignature(member) && /^\w+: AccountId;$/.test(member.getText(file.tree)),
        ),
      ),
  );
}

describe('a source file', () => {
  it('contains more than re-exports', () => {
    expect(paths(ALL.filter(({ isBarrel }) => isBarrel))).toEqual([]);
    expect(breaches(ALL, ({ text }) => text.match(/export \* from .*/g) ?? [])).toEqual([]);
  });
});
