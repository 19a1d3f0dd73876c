// @module-tag slow
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateXml, mailWith } from '../packages/importer/test/reports.ts';
import { createDatabase, databaseUrl } from './support/database.ts';
import { open, personal, plan, report, THREAT_INTELLIGENCE, team } from './support/fixtures.ts';
import { makeFolder } from './support/folder.ts';
import { freePort } from './support/network.ts';
import { connectOperator } from './support/operator.ts';
import { belongings } from './support/routes.ts';
import { startService, type TestService } from './support/service.ts';
import { exitCode, type Outcome, sightlineHere, startSightline } from './support/sightline.ts';
import { startTlsServer, type TlsServer } from './support/tls-server.ts';
import { until } from './support/until.ts';

/** Runs the commands and statements of the guides as printed, with the database logins that they name. */

interface Block {
  guide: string;
  /** The position of the block in its guide. */
  place: number;
  language: string;
  text: string;
}

const GUIDES = [
  'README.md',
  ...readdirSync('docs')
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];
const blocks = GUIDES.flatMap(guide =>
  [...readFileSync(guide, 'utf8').matchAll(/^( *)```(sh|bash|sql)\n([\s\S]*?)^ *```/gm)].map(
    ([, indent, language, text], place): Block => ({
      ...{ guide, place, language: language! },
      text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
);

/** The blocks that were run, as `guide #index`. */
const taken = new Set<string>();

/** Returns the block of a guide that contains this text. */
function find(guide: string, held: string): string {
  const found = blocks.filter(block => block.guide === guide && block.text.includes(held));
  expect(found.map(({ text }) => text)).toHaveLength(1);
  taken.add(`${guide} #${found[0]!.place}`);
  return found[0]!.text;
}

const HERE = 'test/guides.test.ts';
const IN_SHELL = 'test/faults/guides.faults.ts';
const MACHINE = 'changes the machine: packages, users, units';
const PLACEHOLDERS = 'names hosts and files of the reader';
const LONG = 'measures for minutes';
const CLONE = 'installs a clone, which is where the tests run';

/** For each block of shell commands or SQL, in order: the test that runs it, or the reason why none does. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  'README.md': [CLONE, HERE, HERE, CLONE, CLONE, HERE],
  'docs/citus.md': ['needs servers with Citus', 'needs servers with Citus'],
  'docs/client.md': ['is not on a registry yet'],
  'docs/collecting.md': [
    ...[CLONE, 'needs the token that was printed', ...Array(2).fill('runs until it is ended'), MACHINE],
  ],
  'docs/graphql.md': [HERE, 'needs the client from a registry'],
  'docs/importing.md': [
    ...[CLONE, HERE, 'needs the mail server of the reader', 'test/import/recipes.faults.ts'],
    ...['runs until it is ended', PLACEHOLDERS, PLACEHOLDERS, 'needs the database of parsedmarc'],
    ...['needs Elasticsearch', HERE, 'runs until it is ended', PLACEHOLDERS, PLACEHOLDERS],
  ],
  'docs/insights.md': [PLACEHOLDERS, 'sends a mail'],
  'docs/install.md': [
    ...['needs Docker', 'needs Docker', 'needs Docker', 'needs Docker'],
    ...[HERE, CLONE, HERE, 'needs Docker', 'needs Docker'],
  ],
  'docs/integrations.md': [PLACEHOLDERS, 'test/integrations.test.ts', 'test/integrations.test.ts'],
  'docs/mail-policies.md': [PLACEHOLDERS],
  'docs/mcp.md': [PLACEHOLDERS],
  'docs/operations.md': [
    ...[HERE, HERE, HERE, 'restores a backup of the reader', IN_SHELL, 'sets a variable', HERE, HERE],
    IN_SHELL,
  ],
  'docs/page.md': ['sets variables'],
  'docs/performance.md': [LONG, LONG, LONG, LONG, LONG, LONG],
  'docs/policies.md': [HERE, PLACEHOLDERS, PLACEHOLDERS],
};

it('every shell and SQL block has a test that runs it or a reason why not', () => {
  const counted = (guide: string) => blocks.filter(block => block.guide === guide).length;
  const guides = [...new Set(blocks.map(({ guide }) => guide))];
  expect(Object.fromEntries(guides.map(guide => [guide, RUN_BY[guide]?.length ?? 0]))).toEqual(
    Object.fromEntries(guides.map(guide => [guide, counted(guide)])),
  );
  // A test that runs a block has to read it from the guide.
  const others = Object.entries(RUN_BY).flatMap(([guide, by]) =>
    by.filter(test => test.startsWith('test/') && test !== HERE).map(test => [guide, test] as const),
  );
  expect(others.length).toBeGreaterThanOrEqual(5);
  for (const [guide, test] of others)
    expect(existsSync(test) && readFileSync(test, 'utf8'), `${test} runs ${guide}`).toContain(guide);
});

const START =
  /^(?:\w+=\S+ )*(?:env .*? )?(?:npx sightline|sightline|\S*node bin\/sightline\.js|\S*\/sightline\.js) /;

/**
 * Returns the arguments of every Sightline command in a block.
 * @param home replaces `~`
 */
function listCommands(block: string, home: string): string[][] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter(line => START.test(line))
    .map(line =>
      line
        .replace(START, '')
        .replace(/ +#.*$/, '')
        .replaceAll('~', home)
        .trim()
        .split(/\s+/),
    );
}

describe('a command in a guide', () => {
  const commands = blocks
    .flatMap(({ guide, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map(line => [guide, line.trim()] as const),
    )
    .filter(([, line]) => START.test(line))
    .map(([guide, line]) => [guide, line.replace(START, '').replace(/ (?:#|\||&).*$/, '')] as const);
  const helps = new Map<string, Promise<string>>();
  const help = (command: string) => {
    const existing =
      helps.get(command) ?? sightlineHere([...command.split(' '), '--help'], {}).then(({ stdout }) => stdout);
    helps.set(command, existing);
    return existing;
  };

  it('has only existing options', async () => {
    const wrong: string[] = [];
    for (const [guide, line] of commands) {
      const words = line.split(/\s+/);
      const name = words.slice(0, words.findIndex(word => !/^[a-z]+$/.test(word)) >>> 0);
      // The longest command that has its own help text. All other words are arguments.
      let [command, page] = ['', ''];
      while (page === '' && name.length > 0) {
        command = name.join(' ');
        page = await help(command).catch(() => '');
        name.pop();
      }
      const options = words.filter(word => word.startsWith('--')).map(word => word.split('=')[0]!);
      const missing = options.filter(option => !new RegExp(`${option}\\b`).test(page));
      if (page === '' || missing.length > 0) wrong.push(`${guide}: ${line} (${command}: ${missing})`);
    }
    expect(commands.length).toBeGreaterThan(25);
    expect(wrong).toEqual([]);
  });
});

/** The server on which each guide creates its database and logins. */
let server: TlsServer;
beforeAll(async () => {
  server = await startTlsServer('127.0.0.1');
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe.each([
  [
    'docs/install.md',
    () => find('docs/install.md', 'runuser -u postgres').split("<<'SQL'\n")[1]!.split('\nSQL\n')[0]!,
    () => find('README.md', 'owner@db.internal'),
  ],
  [
    'docs/install.md, for customers',
    () => find('docs/install.md', 'runuser -u postgres').split("<<'SQL'\n")[1]!.split('\nSQL\n')[0]!,
    () => `sightline migrate\n${find('docs/importing.md', 'shop --host shop.example')}`,
  ],
  [
    'docs/operations.md',
    () =>
      find('docs/operations.md', 'migrate, load, prune, keys') +
      find('docs/operations.md', 'before "sightline migrate"'),
    () => find('docs/install.md', 'owner@db.internal'),
  ],
] as const)('the SQL statements of %s', (_, printed, install) => {
  let folder: string;
  const statements = printed().replaceAll('…', 'secret');
  const getPassword = (login: string) => new RegExp(`${login} login password '(\\w+)'`).exec(statements)![1]!;

  /** Returns the connection URL of a login that the statements create. */
  const toLoginUrl = (login: string) => {
    const url = new URL(databaseUrl(server.url, 'sightline'));
    Object.assign(url, { username: login, password: getPassword(login) });
    return url.href;
  };
  const as = (login: string, ...args: string[]) =>
    sightlineHere(args, {
      DATABASE_URL: toLoginUrl(login),
      DATABASE_ROLE: login === 'sightline_owner' ? 'sightline_reader' : '',
    });

  beforeAll(async () => {
    folder = makeFolder();
    mkdirSync(join(folder, 'cur'));
    const [first, second = ''] = statements.split('\\connect sightline\n');
    await ask(server.url, first!);
    await ask(databaseUrl(server.url, 'sightline'), second);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await ask(server.url, 'drop database sightline with (force)');
    const [roles] = await ask(
      server.url,
      "select string_agg(rolname, ', ') as names from pg_roles where rolname like 'sightline%' and not rolsuper",
    );
    await ask(server.url, `drop role ${(roles as { names: string }).names}`);
  });

  it('create logins with which every command works', async () => {
    const mails = join(folder, 'Maildir', 'new');
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(folder, 'Maildir', name), { recursive: true });
    for (const domain of ['acme.example', 'shop.example'])
      writeFileSync(
        join(mails, `1.${domain}`),
        mailWith({ bytes: aggregateXml([{}], domain).replace('<domain>example.org', `<domain>${domain}`) }),
      );
    const outcomes: [name: string, outcome: Outcome][] = [];
    for (const args of listCommands(install(), folder).filter(([name]) => name !== 'serve'))
      outcomes.push([args[0]!, await as('sightline_owner', ...args)]);
    expect(outcomes.map(([name, { code }]) => [name, code])).toEqual(outcomes.map(([name]) => [name, 0]));
    expect(JSON.stringify(outcomes)).toContain('svc_');
    expect(JSON.stringify(outcomes)).toMatch(/Imported dmarc \d/);
    // Mails that are already in the account count as repeated; mails of other accounts do not.
    expect(await as('sightline_owner', 'account', 'create', 'own', '--host', 'own.example')).toMatchObject({
      code: 0,
    });
    const [own] = listCommands(find('docs/importing.md', '--account own ~/Maildir\n'), folder);
    expect(await as('sightline_import', ...own!)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Imported dmarc 2'),
    });
    writeFileSync(join(folder, 'cur', 'report.json'), JSON.stringify(REPORT));
    const bring = ['--format', 'browser', '--body', 'body', '--time', 'at', join(folder, 'cur')];
    expect(await as('sightline_import', 'import', '--account', 'acme', ...bring)).toMatchObject({ code: 0 });
    expect(await as('sightline_owner', 'maintain')).toMatchObject({ code: 0 });
    const { code, stdout } = await as('sightline_web', 'doctor', '--json');
    const findings = JSON.parse(stdout) as { check: string; level: string; says: string }[];
    expect([code, findings.filter(({ level }) => level === 'error')]).toEqual([0, []]);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'login', level: 'ok' }));
    expect(findings).toContainEqual(expect.objectContaining({ check: 'service', level: 'ok' }));
  });

  it('create a service login that can read but not write', async () => {
    const [{ reports }] = (await ask(
      toLoginUrl('sightline_web'),
      'select count(*)::int as reports from report',
    )) as [{ reports: number }];
    // Two mails from each of two imports, and one browser report.
    expect(reports).toBe(5);
    for (const statement of [
      'delete from report',
      "update account set email = ''",
      'create table t ()',
      'create temporary table t ()',
    ])
      await expect(ask(toLoginUrl('sightline_web'), statement), statement).rejects.toThrow(
        /permission denied|read-only/,
      );
  });

  it('create an import login that can neither read nor delete reports', async () => {
    for (const statement of [
      'select fields from report',
      'select * from api_key',
      'delete from report',
      'select * from report',
    ])
      await expect(ask(toLoginUrl('sightline_import'), statement), statement).rejects.toThrow(
        /permission denied|does not exist/,
      );
  });

  it('work together with those of operations.md for poolers, large objects and manual changes', async () => {
    const administrator = databaseUrl(server.url, 'sightline');
    await ask(administrator, find('docs/operations.md', 'set statement_timeout'));
    expect(await ask(toLoginUrl('sightline_web'), 'show random_page_cost')).toEqual([
      { random_page_cost: '1.1' },
    ]);
    await ask(administrator, find('docs/operations.md', 'lo_creat'));
    await expect(ask(toLoginUrl('sightline_import'), 'select lo_create(0)')).rejects.toThrow(
      'permission denied',
    );
    const version = async () =>
      (await ask(toLoginUrl('sightline_owner'), "select version::text from account where id = 'acme'"))[0];
    const { version: before } = (await version()) as { version: string };
    await ask(
      toLoginUrl('sightline_owner'),
      find('docs/operations.md', 'set version').replaceAll('…', 'acme'),
    );
    expect(await version()).toEqual({ version: String(BigInt(before) + 1n) });
  });
});

describe('the curl commands of the guides', () => {
  let service: TestService;
  let folder: string;
  let key: string;
  let teamKey: string;
  beforeAll(async () => {
    service = await startService();
    folder = makeFolder();
    key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
    await service.load(team('crew'), ...belongings('crew'));
    teamKey = await service.key('team', 'crew');
    const date = new Date().toISOString();
    const script = { date, uri: 'https://shop.example.com/cart', directive: 'script-src-elem' };
    await service.load(
      report('ada', 'csp', 'cdn', { ...script, blockedUri: 'https://cdn.example/a.js' }),
      report('ada', 'csp', 'new', {
        ...script,
        blockedUri: 'https://evil.example/a.js',
        recentlyRegisteredDomain: 1,
      }),
    );
    mkdirSync(join(folder, '.sightline'));
    writeFileSync(join(folder, '.sightline/demo-keys.env'), `TEAM_KEY=${teamKey}\nPERSONAL_KEY=${key}\n`);
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the requests of a block in a shell and returns the responses. */
  async function run(block: string): Promise<Record<string, unknown>[]> {
    const script = block
      .replaceAll(/http:\/\/127\.0\.0\.1:4000|https:\/\/reports\.example\.com/g, service.url)
      .replaceAll('curl ', 'curl --silent --show-error --fail --write-out "\\n" ');
    const { stdout } = await promisify(execFile)('/bin/bash', ['--norc', '-e', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, KEY: key, PERSONAL_KEY: key },
    });
    return stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  }

  it('return the team and the reports of this month, as README.md describes', async () => {
    const { status, body } = await service.get('/v1/team', teamKey);
    expect(status).toBe(200);
    expect(await run(find('README.md', '/v1/team'))).toEqual([body]);
    const [all, threats] = await run(find('README.md', 'anyThreatIntel=true'));
    expect([all!.reports, threats!.reports]).toEqual([
      [expect.anything(), expect.anything()],
      [expect.anything()],
    ]);
  });

  it('get responses without errors from /graphql', async () => {
    expect(await run(find('docs/graphql.md', '{ viewer { id plan'))).toEqual([
      {
        data: {
          viewer: { id: expect.any(String), plan: { name: 'Business' }, quota: { used: 2, limit: 500_000 } },
        },
      },
    ]);
    const [suggested] = await run(find('docs/policies.md', 'policySuggestion'));
    expect(suggested).toMatchObject({
      data: { viewer: { policySuggestion: { header: expect.stringContaining("default-src 'self'") } } },
    });
    expect(suggested).not.toHaveProperty('errors');
  });
});

it('the service command of README.md starts the service', async () => {
  // The server of this test run has the roles that the guides create.
  const database = await createDatabase();
  const [, serve] = /NODE_ENV=production npx sightline (serve)/.exec(find('README.md', 'owner@db.internal'))!;
  const port = String(await freePort());
  const env = { DATABASE_URL: database.directUrl, NODE_ENV: 'production', PORT: port };
  const child = startSightline([serve!], { env });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200);
  } finally {
    child.kill('SIGTERM');
    await exitCode(child);
    await database.drop();
  }
});

it('this file runs every block that the list assigns to it', () => {
  const listed = Object.entries(RUN_BY).flatMap(([guide, by]) =>
    by.flatMap((test, place) => (test === HERE ? [`${guide} #${place}`] : [])),
  );
  expect([...taken].sort()).toEqual(listed.sort());
});

const REPORT = {
  at: new Date().toISOString(),
  body: {
    'csp-report': {
      'document-uri': 'https://acme.example/',
      'effective-directive': 'script-src',
      'blocked-uri': 'https://cdn.example/x.js',
    },
  },
};

/** Sends the statements one at a time, as psql does, and returns the rows of the last one. */
async function ask(url: string, text: string): Promise<readonly object[]> {
  const sql = connectOperator(url);
  try {
    let rows: readonly object[] = [];
    const statements = text.replaceAll(/--.*$/gm, '').split(';');
    for (const statement of statements)
      if (statement.trim() !== '') rows = (await sql.query(statement)) as never;
    return rows;
  } finally {
    await sql.end();
  }
}
