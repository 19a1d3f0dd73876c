/**
 * Counts what a reader of one request follows: `npm run hops -- "/v1/reports/csp?unit=days&date=2026-05-20"`, on the
 * demo's data. With `--list` it names the functions, and marks the main path.
 *
 * A copy of the sources tells which functions are entered, and which function of ours each was called by. A hop is a
 * call that leads into another file, each pair of functions once. Timers, which run without a request, are left out.
 *
 * It says two counts. The first has every hop. The second is the main path: hops that lead on. A call is none of those
 * where it comes back to a file that is on its stack already, as a callback does. Nor is it where the function
 * answers out of its own file: a reader takes its name for what it does, and stays.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/** Milliseconds for which it looks at the service without a request, and until the line of the log was written. */
const IDLE = 3000;
const SETTLING = 50;

/**
 * The number of requests that are measured: the least of it counts, since a key may have to be looked up anew
 * meanwhile.
 */
const LOOKS = 5;

/** A call of one function by another, each as `file#name`. */
interface Call {
  callee: string;
  /** Undefined where the event loop called. */
  caller?: string;
  /** True if it led into a file that was not on the stack, at least once. */
  isNew: boolean;
}

/** Notes calls between two messages of its parent. Frames of packages lie between those of ours. */
const RECORDER = `
let calls;
process.on('message', () => {
  if (calls) process.send([...calls.values()]);
  calls = calls ? undefined : new Map();
});
const ours = site => site.getFileName()?.match(/hops-[^/]+\\/((?:src|schema|sql)\\/.*\\.ts)$/)?.[1];
const nameOf = site => ours(site) + '#' + (site.getFunctionName() ?? 'at ' + site.getEnclosingColumnNumber());
globalThis.__entered = () => {
  if (!calls) return;
  const [before, limit] = [Error.prepareStackTrace, Error.stackTraceLimit];
  Error.stackTraceLimit = 200;
  Error.prepareStackTrace = (_, sites) => sites;
  const here = {};
  Error.captureStackTrace(here, globalThis.__entered);
  const { stack } = here;
  Error.prepareStackTrace = before;
  Error.stackTraceLimit = limit;
  const [callee, caller] = stack.filter(site => !site.isAsync() && ours(site)).map(nameOf);
  const isNew = stack.filter(site => ours(site) === ours(stack[0])).length === 1;
  const key = callee + ' ' + caller;
  calls.set(key, { callee, caller, isNew: isNew || calls.get(key)?.isNew === true });
};
`;

/** Every function of a source says that it is entered. */
function instrumented(path: string): string {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const insertions: [at: number, text: string][] = [];
  const visit = (node: ts.Node): void => {
    const { body } = node as ts.FunctionLikeDeclaration;
    if (ts.isFunctionLike(node) && body) {
      if (ts.isBlock(body)) insertions.push([body.getStart() + 1, ' globalThis.__entered();']);
      else insertions.push([body.getStart(), '(globalThis.__entered(), '], [body.getEnd(), ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return insertions
    .sort(([one], [other]) => other - one)
    .reduce((before, [at, inserted]) => before.slice(0, at) + inserted + before.slice(at), text);
}

function copyOfProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hops-'));
  for (const name of ['bin', 'schema', 'sql', 'src', 'openapi.yaml', 'package.json'])
    cpSync(name, join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'packages']) symlinkSync(resolve(name), join(folder, name), 'dir');
  for (const room of ['schema', 'sql', 'src'])
    for (const name of readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts'))
        writeFileSync(join(folder, room, name), instrumented(join(folder, room, name)));
  writeFileSync(join(folder, 'recorder.cjs'), RECORDER);
  return folder;
}

async function start(folder: string): Promise<{ service: ChildProcess; url: string; key: string }> {
  const service = spawn(process.execPath, ['--require', './recorder.cjs', 'bin/sightline.js', 'dev'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', DATA_DIRECTORY: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let text = '';
  service.once('exit', code => {
    throw new Error(`the service ended with ${code}: ${text}`);
  });
  service.stdout!.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  while (!text.includes('Ctrl-C ends it.')) await once(service.stdout!, 'data');
  const keys = readFileSync(join(folder, 'data/demo-keys.env'), 'utf8');
  const url = /http:\/\/[^/\s]+/.exec(text)![0];
  return { service, url, key: /^PERSONAL_KEY=(\S+)$/m.exec(keys)![1]! };
}

/** The calls that the service makes while something is done. */
async function callsDuring(service: ChildProcess, work: () => Promise<unknown>): Promise<Call[]> {
  service.send('begin');
  await work();
  await sleep(SETTLING);
  service.send('end');
  const [calls] = await once(service, 'message');
  return calls as Call[];
}

/** Those that begin where nothing began while the service was idle. */
function ofRequest(calls: readonly Call[], idle: readonly Call[]): Call[] {
  const begun = new Set(idle.filter(({ caller }) => caller === undefined).map(({ callee }) => callee));
  const reached = new Set<string>();
  const roots = calls.filter(({ callee, caller }) => caller === undefined && !begun.has(callee));
  const open = roots.map(({ callee }) => callee);
  for (let callee = open.pop(); callee !== undefined; callee = open.pop()) {
    if (reached.has(callee)) continue;
    reached.add(callee);
    open.push(...calls.filter(({ caller }) => caller === callee).map(({ callee }) => callee));
  }
  return calls.filter(
    ({ callee, caller }) => reached.has(callee) && (caller === undefined || reached.has(caller)),
  );
}

const fileOf = (name: string) => name.split('#')[0]!;

const isHop = ({ callee, caller }: Call) => caller !== undefined && fileOf(callee) !== fileOf(caller);

/** The hops that lead on: into a file that is not on the stack, and from there into another one. */
function mainPath(calls: readonly Call[]): Call[] {
  const leading = new Set<string>();
  const leadsOn = (call: Call) => (isHop(call) ? call.isNew : leading.has(call.callee));
  // Within its file a function may leave it to another one to lead on.
  for (let before = -1; before !== leading.size; ) {
    before = leading.size;
    for (const call of calls) if (call.caller !== undefined && leadsOn(call)) leading.add(call.caller);
  }
  return calls.filter(call => isHop(call) && call.isNew && leading.has(call.callee));
}

function told(calls: readonly Call[]): string {
  const files = (names: readonly string[]) => new Set(names.map(fileOf)).size;
  const functions = new Set(calls.map(({ callee }) => callee));
  const path = mainPath(calls);
  const ends = path.flatMap(({ callee, caller }) => [callee, caller!]);
  return `${files([...functions])} files, ${functions.size} functions, ${calls.filter(isHop).length} hops; main path: ${files(ends)} files, ${path.length} hops`;
}

function listOf(calls: readonly Call[]): string {
  const path = new Set(mainPath(calls));
  const lines = calls.map(call => {
    return `${call.caller ?? 'the event loop'} -> ${call.callee}${path.has(call) ? ' *' : ''}\n`;
  });
  return lines.sort().join('');
}

const { positionals, values } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const [given = '/v1/reports/csp'] = positionals;
const path = given === '/v1/reports/csp' ? `${given}?unit=days&date=${yesterday}` : given;
const folder = copyOfProject();
const { service, url, key } = await start(folder);
try {
  let asked = 0;
  const ask = async () => {
    // An answer that is kept would show less: each request has an address of its own.
    const target = path.replace(
      /(date=\d{4}-\d\d)-\d\d/,
      (_, month) => `${month}-${String((asked++ % 20) + 1).padStart(2, '0')}`,
    );
    const response = await fetch(url + target, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${target} is ${response.status}`);
  };
  for (let round = 0; round < 5; round++) await ask();
  const idle = await callsDuring(service, () => sleep(IDLE));
  const looks: Call[][] = [];
  for (let look = 0; look < LOOKS; look++) {
    // Its key was looked up a moment ago, as under load.
    await ask();
    looks.push(ofRequest(await callsDuring(service, ask), idle));
  }
  const [calls] = looks.sort((one, other) => one.length - other.length);
  if (values.list) process.stdout.write(listOf(calls!));
  process.stdout.write(`${path}: ${told(calls!)}\n`);
} finally {
  service.removeAllListeners('exit').kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
