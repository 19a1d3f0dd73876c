import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourcesOf } from './support/sources.ts';

const FLOORS = { src: sourcesOf('src'), schema: sourcesOf('schema'), sql: sourcesOf('sql') };
const ALL = Object.values(FLOORS).flat();

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
  return { folder, declared: Object.keys(declared), files: sourcesOf(`${folder}src`) };
});

/** The core, and all houses beside it. */
const STREET = [...ALL, ...PACKAGES.flatMap(({ files }) => files)];

/** One word per domain, on all floors. */
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
/** Breaches of a rule, as `file: breach`. */
const breaches = (files: readonly SourceFile[], of: (file: SourceFile) => readonly string[]) =>
  files.flatMap(file => of(file).map(what => `${file.path}: ${what}`));
const targets = ({ imports }: SourceFile) => imports.map(({ target }) => target);

/** A folder of a floor, such as `src/http`; a file that stands on the floor itself is a room of its own. */
const roomOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** Every way round in a graph that a walk through it meets. */
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
  it('go from src to schema to sql, and never back', () => {
    const above = { src: ['test/'], schema: ['src/', 'test/'], sql: ['schema/', 'src/', 'test/'] };
    for (const [floor, files] of Object.entries(FLOORS)) {
      const forbidden = above[floor as keyof typeof above];
      const isBack = (target: string) => forbidden.some(folder => target.startsWith(folder));
      expect(breaches(files, file => targets(file).filter(isBack))).toEqual([]);
    }
  });

  it('lead to files that are there', () => {
    const known = new Set(paths(ALL));
    const isOurs = (target: string) =>
      /^(src|schema|sql)\/.*\.tsx?$/.test(target) && !target.endsWith('.generated.ts');
    expect(
      breaches(ALL, file => targets(file).filter(target => isOurs(target) && !known.has(target))),
    ).toEqual([]);
    expect(ALL.flatMap(targets).filter(isOurs).length).toBeGreaterThan(100);
  });

  it('make no cycle, types included', () => {
    const graph = new Map(STREET.map(file => [file.path, new Set(targets(file))]));
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('make no cycle of rooms, types included', () => {
    const graph = new Map<string, Set<string>>();
    for (const file of ALL) {
      const room = graph.get(roomOf(file.path)) ?? new Set<string>();
      for (const target of targets(file)) room.add(roomOf(target));
      graph.set(roomOf(file.path), room);
    }
    for (const [room, others] of graph) others.delete(room);
    expect(graph.size).toBeGreaterThan(30);
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('end in .ts, since Node finds nothing else', () => {
    const isRelativeTo = (target: string) =>
      /^(src|schema|sql)\//.test(target) && !/\.(tsx?|json)$/.test(target);
    expect(breaches(ALL, file => targets(file).filter(isRelativeTo))).toEqual([]);
  });
});

describe('a page', () => {
  const PACKAGE = sourcesOf('packages/pages/src');
  const SHARED = 'packages/pages/src/browser/';
  const BROWSERS = [SHARED, 'packages/pages/src/app/browser/', 'packages/pages/src/docs/browser/'];

  /** Say without Node how a site is made to report, and which directive of a policy decides. */
  const PLAIN = ['@sightline/collect/headers', '@sightline/csp/directives'];

  it.each(BROWSERS)(
    'imports itself, what pages share, Preact, and what needs no Node of other packages alone: %s',
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

  it('shows an answer at the address that it answers: the present one is read by the frame alone', () => {
    const files = PACKAGE.filter(({ path }) => path.startsWith('packages/pages/src/app/browser/'));
    /** The code of addresses, the frame that hands the address on, and the code of a link. */
    const READERS = /\/(address\.ts|shell\.tsx|kept-key\.ts)$/;
    const readers = files.filter(({ text }) => /\buseAddress\b|\blocation\./.test(text));
    expect(paths(readers).filter(path => !READERS.test(path))).toEqual([]);
    expect(readers).toHaveLength(3);
  });
});

describe('the street', () => {
  const isWithin = (target: string, folder: string) => target.startsWith(folder);

  it.each(PACKAGES)(
    'has $folder import itself, and what its package.json names',
    ({ folder, declared, files }) => {
      const isForeign = (target: string) =>
        !isWithin(target, `${folder}src/`) &&
        !target.startsWith('node:') &&
        !declared.some(name => target === name || target.startsWith(`${name}/`));
      expect(breaches(files, file => targets(file).filter(isForeign))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );

  it('has the core import packages by their names, and so by what they export', () => {
    expect(breaches(ALL, file => targets(file).filter(target => isWithin(target, 'packages/')))).toEqual([]);
  });

  /** The imports of each house that is no package yet from others. */
  const HOUSES: Readonly<Record<string, readonly string[]>> = {
    'src/collect/': ['src/setting-types.ts'],
    'src/pages/': ['src/http/'],
    'src/mcp/': ['src/http/', 'src/observability/', 'sql/report/'],
  };

  it.each(Object.entries(HOUSES))('has %s import of others what ARCHITECTURE.md says', (house, others) => {
    const files = ALL.filter(({ path }) => isWithin(path, house));
    const isAllowed = (target: string) => [house, ...others].some(allowed => isWithin(target, allowed));
    const isOurs = (target: string) => /^(src|schema|sql|test)\//.test(target);
    expect(breaches(files, file => targets(file).filter(to => isOurs(to) && !isAllowed(to)))).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });
});

describe('the command line', () => {
  /** The files that a file loads before it does anything. */
  function loadedBy(path: string, known = new Set<string>()): Set<string> {
    if (known.has(path)) return known;
    known.add(path);
    const { imports = [] } = ALL.find(file => file.path === path) ?? {};
    for (const { target, isType, isLater } of imports) if (!isType && !isLater) loadedBy(target, known);
    return known;
  }

  it('loads no command before it is asked for', () => {
    const { imports } = ALL.find(({ path }) => path === 'src/cli/index.ts')!;
    const commands = imports.filter(({ isLater }) => isLater).map(({ target }) => target);
    expect(commands.length).toBeGreaterThan(10);
    const loaded = loadedBy('src/cli/index.ts');
    expect(commands.filter(path => loaded.has(path))).toEqual([]);
  });

  it.each(['config', 'export', 'health', 'import', 'keys', 'load', 'maintain', 'migrate', 'prune', 'serve'])(
    'loads no schema for %s, which takes longer than what it does',
    name => {
      const loaded = [...loadedBy('src/cli/index.ts'), ...loadedBy(`src/cli/${name}.ts`)];
      expect(loaded.filter(target => target === 'graphql' || target.startsWith('schema/'))).toEqual([]);
    },
  );
});

describe('the package of the collector', () => {
  const files = sourcesOf('packages/collect/src');

  it('has at most 800 lines of code', () => {
    const code = files.flatMap(({ text }) =>
      text
        .replace(/\/\*\*.*?\*\//gs, '')
        .split('\n')
        .filter(line => line.trim() !== '' && !line.trim().startsWith('//')),
    );
    expect(code.length).toBeLessThanOrEqual(800);
  });
});

describe('a domain', () => {
  const file = (floor: 'schema' | 'sql', domain: string) =>
    FLOORS[floor].find(({ path }) => path === `${floor}/${domain}.ts`);

  it('is one word on every floor, with a test of its name', () => {
    const tests = paths(sourcesOf('test/rest'));
    for (const domain of DOMAINS) {
      expect(file('schema', domain), domain).toBeDefined();
      expect(file('sql', domain), domain).toBeDefined();
      expect(tests).toContain(`test/rest/${domain}.test.ts`);
    }
  });

  it('is every file that the schema gathers', () => {
    const index = FLOORS.schema.find(({ path }) => path === 'schema/index.ts')!;
    const gathered = targets(index)
      .map(target => /^schema\/(\w+)\.ts$/.exec(target)?.[1])
      .filter(name => name && name !== 'builder' && name !== 'scalars');
    expect(gathered.sort()).toEqual(DOMAINS);
  });

  it.each(DOMAINS)('%s imports no other domain of its floor', domain => {
    const others = DOMAINS.filter(other => other !== domain);
    for (const floor of ['schema', 'sql'] as const) {
      const isOther = (target: string) => others.some(other => target === `${floor}/${other}.ts`);
      expect(targets(file(floor, domain)!).filter(isOther), floor).toEqual([]);
    }
  });

  /**
   * A domain imports the owner (`Account`) and the rows of statements beside it. It also has the two tables of report
   * types and their filters. Queries that several domains load stand in `schema/loaders.ts`.
   */
  it.each(DOMAINS)('%s imports only the SQL of its own name', domain => {
    const { imports } = file('schema', domain)!;
    const foreign = imports
      .filter(({ target }) => target.startsWith('sql/') && target !== `sql/${domain}.ts`)
      .filter(({ target, isType }) => !(isType && target === 'sql/account.ts'))
      .filter(({ target }) => !/^sql\/report\/filters?\.ts$/.test(target));
    expect(foreign).toEqual([]);
  });
});

describe('only', () => {
  /** Samples for readers of the documentation do both. */
  const PROGRAMS = STREET.filter(({ path }) => path !== 'packages/pages/src/docs/browser/samples.ts');
  const filesWith = (pattern: RegExp, files = PROGRAMS) =>
    paths(files.filter(({ text }) => pattern.test(text)));
  it('config.ts reads the environment', () => {
    expect(filesWith(/process\.env|from '(node:)?process'/)).toEqual(['src/config.ts']);
  });

  it('respond.ts makes an error response, apart from those that GraphQL over HTTP has', () => {
    const isError =
      /status: (?!4xx)[45]\d\d|\[[45]\d\d, '|statusCode = [45]|writeHead\([45]|\{\s*"?error"?: /;
    const files = FLOORS.src.filter(({ path }) => !/^src\/graphql\//.test(path));
    expect(filesWith(isError, files)).toEqual(['src/http/respond.ts']);
  });

  it('the hand-over of connections knows what Node does not document', () => {
    const inside = /'(?:internalMessage|newconn)'|process\.binding|'node:_\w|\w\._(?!source\b|tls\b)[a-z]/;
    expect(filesWith(inside)).toEqual(['packages/workers/src/hand-over.ts']);
  });

  it("the operator's connections may write", () => {
    const opens = ({ text }: SourceFile) => /\bnew CommandConnection\(/.test(text);
    expect(paths(ALL.filter(opens))).toEqual(['sql/operator/connect.ts']);
  });

  it('the log writes what a program writes on its way', () => {
    expect(filesWith(/\bconsole\s*[.[]/)).toEqual([]);
  });

  it('authentication and operators know keys: no file of the schema does', () => {
    expect(
      breaches(FLOORS.schema, file => targets(file).filter(target => /^sql\/(operator\/)?key/.test(target))),
    ).toEqual([]);
  });
});

describe('owned data', () => {
  /** Queries of internal tokens, the look-up of keys, and queries of data that belongs to no account. */
  const NOT_OWNED = [
    'anyAccount',
    'anyAccounts',
    'callersByDigest',
    'privileges',
    'pendingMigrations',
    'positionOf',
    'unreadWorkers',
  ];

  it('is asked for with an AccountId', () => {
    const queries = FLOORS.sql.flatMap(file => databaseFunctions(file));
    expect(queries.length).toBeGreaterThan(15);
    const without = queries.filter(({ takesAccount }) => !takesAccount).map(({ name }) => name);
    expect(NOT_OWNED).toEqual(expect.arrayContaining(without));
  });

  it('is read through the fence that refuses rows of other accounts', () => {
    const unfenced = FLOORS.sql
      .flatMap(file => databaseFunctions(file))
      .filter(({ text, takesAccount }) => takesAccount && /\.rows\b/.test(text))
      .map(({ name }) => name);
    expect(unfenced).toEqual([]);
  });

  it('has an AccountId that nothing makes of a text', () => {
    expect(breaches(ALL, ({ text }) => text.match(/as (unknown as )?AccountId\b/g) ?? [])).toEqual([]);
  });
});

/** The exported functions that ask the service's database. */
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

/** Tells whether a type is an AccountId, many, or one of the file's own interfaces that must have one. */
function namesAccount(type: ts.TypeNode, tree: ts.SourceFile): boolean {
  if (/\bAccountId\b/.test(type.getText(tree))) return true;
  return tree.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => new RegExp(`\\b${name.text}\\b`).test(type.getText(tree)))
    .some(({ members }) =>
      members.some(
        member => ts.isPropertySignature(member) && /^\w+: AccountId;$/.test(member.getText(tree)),
      ),
    );
}

describe('a file', () => {
  /** Longer ones, and how long they may be: each is one table, or one thing that falls apart into none. */
  const LONGER: Readonly<Record<string, number>> = {
    'packages/reports/src/types.ts': 560,
    'packages/postgres/src/client/guard.ts': 350,
  };

  it('has about 300 lines at most', () => {
    const long = STREET.filter(({ path, lines }) => lines > (LONGER[path] ?? 300));
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it('is no longer among the longer ones when it has become short', () => {
    const short = Object.keys(LONGER).filter(
      path => (STREET.find(file => file.path === path)?.lines ?? 0) <= 300,
    );
    expect(short).toEqual([]);
  });

  it('is no barrel: it has something of its own', () => {
    expect(paths(ALL.filter(({ isBarrel }) => isBarrel))).toEqual([]);
    expect(breaches(ALL, ({ text }) => text.match(/export \* from .*/g) ?? [])).toEqual([]);
  });
});
