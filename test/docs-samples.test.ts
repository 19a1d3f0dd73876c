import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Question, toCall } from '../packages/web/src/docs/browser/operation.ts';
import { type Language, samples } from '../packages/web/src/docs/browser/samples.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { listQuestions } from './support/docs-page.ts';
import { smallDemo, TODAY } from './support/page.ts';
import { hasProgram } from './support/programs.ts';
import { startService, type TestService } from './support/service.ts';

const run = promisify(execFile);
const CLIENT = resolve('packages/client/src/index.ts');
const LARGE = { maxBuffer: 256 * 1024 * 1024 };

let service: TestService;
let keys: { person: string; team: string };
let questions: Question[];
/** The samples to run: in npm test, a third of them in rotation. */
let tried: Question[];
let folder: string;
beforeAll(async () => {
  service = await startService();
  await service.load(...smallDemo());
  keys = {
    person: await service.key('personal', DEMO_PERSONAL),
    team: await service.key('team', DEMO_TEAM),
  };
  questions = listQuestions((await service.get('/docs')).text, TODAY);
  const turn = Math.floor(Math.random() * 3);
  tried = questions.filter((question, at) => IN_EARNEST || isWrong(question) || at % 3 === turn);
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-samples-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const getTarget = (question: Question) => toCall(question).target;
/** One route requires a team's key. */
const keyFor = (question: Question) => (getTarget(question) === '/v1/team' ? keys.team : keys.person);
const env = (key: string) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  no_proxy: '*',
  SIGHTLINE_KEY: key,
});

/** Requests that guides show as invalid. */
const isWrong = (question: Question) => /date=yesterday|dmarc.*blockedHostnames/.test(getTarget(question));

/** Writes the request samples of a language to files. */
async function written(language: Language, ending: string): Promise<string[]> {
  return Promise.all(
    tried.map(async (question, at) => {
      const file = join(folder, `${at}.${ending}`);
      await writeFile(file, samples(question, service.url)[language]);
      return file;
    }),
  );
}

/** Returns the response to a request, which is cached because the data does not change. */
function toAnswer(question: Question): Promise<{ status: number; text: string }> {
  const answer = answers.get(question) ?? ask(question);
  answers.set(question, answer);
  return answer;
}

const answers = new Map<Question, ReturnType<typeof ask>>();

function ask(question: Question): Promise<{ status: number; text: string }> {
  const { target, body } = toCall(question);
  const headers = { authorization: `Bearer ${keyFor(question)}`, 'content-type': 'application/json' };
  return service.request(target, body ? { method: 'POST', headers, body } : { headers });
}

describe('the request samples of /docs', () => {
  it('succeed on the demo data, except for two that show an error', { tags: 'slow' }, async () => {
    const refused: [string, number, string][] = [];
    for (const question of questions) {
      const { status, text } = await toAnswer(question);
      if (status !== 200 || text.includes('"errors"')) refused.push([getTarget(question), status, text]);
    }
    expect(refused.map(([target, status]) => `${status} ${target}`)).toEqual(
      questions.filter(isWrong).map(question => `400 ${getTarget(question)}`),
    );
  });

  it('return data for every request in the guides', async () => {
    const ofGuides = questions.slice(0, questions.length - 41);
    for (const question of ofGuides.filter(each => !isWrong(each))) {
      const { text } = await toAnswer(question);
      expect([
        getTarget(question),
        text.replace(/[[\]{}\s":]|reports|truncated|false/g, '').length > 0,
      ]).toEqual([getTarget(question), true]);
    }
  });

  it('return the same in a shell', { tags: 'slow' }, async () => {
    // Runs everything in one shell, because starting processes is slow.
    const lines = tried.flatMap((question, at) => [
      `export SIGHTLINE_KEY='${keyFor(question)}'`,
      `(${samples(question, service.url).curl}) > '${join(folder, `${at}.curl`)}'`,
    ]);
    await run('sh', ['-c', lines.join('\n')], { env: env('') });
    for (const [at, question] of tried.entries()) {
      const { curl } = samples(question, service.url);
      expect(await readFile(join(folder, `${at}.curl`), 'utf8'), curl).toBe((await toAnswer(question)).text);
    }
  });

  // The compiler takes longer than all other checks together.
  if (IN_EARNEST)
    it('compile as type-checked JavaScript', async () => {
      const { default: ts } = await import('typescript');
      const files = await written('JavaScript', 'mjs');
      const program = ts.createProgram(files, {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2023.d.ts'],
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
        paths: { '@sightline/client': [CLIENT] },
        allowImportingTsExtensions: true,
        allowJs: true,
        checkJs: true,
        noEmit: true,
        skipLibCheck: true,
      });
      // Only the samples themselves; the modules that they import are checked elsewhere.
      const own = files.map(file => program.getSourceFile(file)!);
      const found = [
        ...program.getOptionsDiagnostics(),
        ...program.getGlobalDiagnostics(),
        ...own.flatMap(file => program.getSyntacticDiagnostics(file)),
        ...own.flatMap(file => program.getSemanticDiagnostics(file)),
      ];
      const said = found.map(({ file, messageText }) => [
        file && getTarget(tried[files.indexOf(file.fileName)]!),
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]);
      expect(said).toEqual([]);
    });

  it('run as JavaScript and print the response', { tags: 'slow' }, async () => {
    await written('JavaScript', 'mjs');
    const client = join(folder, 'client.mjs');
    await build({ entryPoints: [CLIENT], outfile: client, bundle: true, format: 'esm', platform: 'node' });
    const all = join(folder, 'all.mjs');
    // In one process: each sample is a module that ends after printing.
    const program = `
      import { readFile, writeFile } from 'node:fs/promises';
      const printed = [];
      console.log = (...values) => printed.at(-1).push(...values);
      for (let at = 0; at < ${tried.length}; at++) {
        printed.push([]);
        process.env.SIGHTLINE_KEY = ${JSON.stringify(tried.map(keyFor))}[at];
        const file = new URL(\`./\${at}.mjs\`, import.meta.url);
        const source = await readFile(file, 'utf8');
        await writeFile(file, source.replace("'@sightline/client'", "'./client.mjs'"));
        await import(file.href).catch(error => printed.at(-1).push(error.message));
      }
      process.stdout.write(JSON.stringify(printed));
    `;
    await writeFile(all, program);
    const { stdout } = await run(process.execPath, [all], { env: env(keys.person), ...LARGE });
    const printed: unknown[][] = JSON.parse(stdout);
    for (const [at, question] of tried.entries()) {
      const target = getTarget(question);
      const { text } = await toAnswer(question);
      if (isWrong(question)) expect(printed[at]).toEqual([JSON.parse(text).error]);
      else if (!target.startsWith('/export/'))
        expect([target, printed[at]]).toEqual([target, [JSON.parse(text)]]);
      else
        expect([target, JSON.stringify(printed[at])]).toEqual([
          target,
          expect.stringContaining(firstId(text)),
        ]);
    }
  });

  const python = hasProgram('python3');
  if (!python) process.stderr.write('Skipped: samples in Python. No python3 is installed.\n');

  it.skipIf(!python)('run as Python and print the response', { tags: 'slow' }, async () => {
    await written('Python', 'py');
    const all = [
      'import contextlib, io, json, os, runpy, sys, urllib.error',
      'printed = []',
      `for at in range(${tried.length}):`,
      '    os.environ["SIGHTLINE_KEY"] = sys.argv[2:][at]',
      '    out = io.StringIO()',
      '    with contextlib.redirect_stdout(out):',
      '        try: runpy.run_path(f"{sys.argv[1]}/{at}.py")',
      '        except urllib.error.HTTPError as error: print(error.read().decode())',
      '    printed.append(out.getvalue())',
      'print(json.dumps(printed))',
    ].join('\n');
    const { stdout } = await run('python3', ['-c', all, folder, ...tried.map(keyFor)], {
      env: env(keys.person),
      ...LARGE,
    });
    const printed: string[] = JSON.parse(stdout);
    for (const [at, question] of tried.entries()) {
      expect([getTarget(question), printed[at]]).toEqual([
        getTarget(question),
        `${(await toAnswer(question)).text}\n`,
      ]);
    }
  });
});

/** Returns the id of the first record of an export. */
function firstId(text: string): string {
  const [line = ''] = text.split('\n');
  return JSON.stringify(JSON.parse(line)).slice(1, 40);
}

describe('a request sample', () => {
  const operation = {
    path: '/v1/watches/script/{domain}',
    fields: [
      { name: 'domain', in: 'path', kind: 'text', isRequired: true, example: '' },
      { name: 'not.uri', in: 'query', kind: 'list', isRequired: false, example: '' },
    ],
  } as const;

  it('quotes arbitrary values as one shell argument and one string', async () => {
    const hostile = `'; touch /tmp/x; "$(id)" \\ \n#&?é`;
    const question: Question = { operation, values: { domain: hostile, 'not.uri': `${hostile},b` } };
    const { curl, JavaScript, Python } = samples(question, "http://127.0.0.1:1/a'b");
    const target = getTarget(question);
    expect(decodeURIComponent(target)).toBe(`/v1/watches/script/${hostile}?not.uri=${hostile},b`);
    const { stdout } = await run('sh', ['-c', curl.replace('curl', 'printf "%s|"')], { env: env('key') });
    expect(stdout).toBe(`-H|Authorization: Bearer key|http://127.0.0.1:1/a%27b${target}|`);
    expect(JavaScript).toContain("'not.uri': [");
    const literal = /domain: ('.*'),/.exec(JavaScript)![1]!;
    const program = `process.stdout.write(${literal})`;
    expect((await run(process.execPath, ['-e', program])).stdout).toBe(hostile);
    expect(Python).toContain(JSON.stringify(`http://127.0.0.1:1/a%27b${target}`));
  });
});
