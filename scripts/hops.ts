/**
 * Counts what a reader of one request follows: `npm run hops -- "/v1/reports/csp?unit=days&date=2026-05-20"`, on the
 * demo's data. With `--list` it names the functions.
 *
 * A copy of the sources tells which functions are entered, and which function of ours each was called by. A hop is a
 * call that leads into another file, each pair of functions once. What runs without a request is left out: timers.
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

/** A function as `file#name`, and the one that called it; undefined where the event loop did. */
type Call = readonly [callee: string, caller: string | undefined];

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
  calls.set(callee + ' ' + caller, [callee, caller]);
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
      if (name.endsWith('.ts') && !name.startsWith('app-page/browser'))
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
  return (calls as [string, string | null][]).map(([callee, caller]) => [callee, caller ?? undefined]);
}

/** Those that begin where nothing began while the service was idle. */
function ofRequest(calls: readonly Call[], idle: readonly Call[]): Call[] {
  const begun = new Set(idle.filter(([, caller]) => caller === undefined).map(([callee]) => callee));
  const reached = new Set<string>();
  const roots = calls.filter(([callee, caller]) => caller === undefined && !begun.has(callee));
  const open = roots.map(([callee]) => callee);
  for (let callee = open.pop(); callee !== undefined; callee = open.pop()) {
    if (reached.has(callee)) continue;
    reached.add(callee);
    open.push(...calls.filter(([, caller]) => caller === callee).map(([next]) => next));
  }
  return calls.filter(
    ([callee, caller]) => reached.has(callee) && (caller === undefined || reached.has(caller)),
  );
}

const fileOf = (name: string) => name.split('#')[0]!;

const { positionals, values } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const [path = `/v1/reports/csp?unit=days&date=${yesterday}`] = positionals;
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
  // Its key was looked up a moment ago, as under load.
  await ask();
  await sleep(SETTLING);
  const calls = ofRequest(await callsDuring(service, ask), idle);
  const functions = new Set(calls.map(([callee]) => callee));
  const files = new Set([...functions].map(fileOf));
  const hops = calls.filter(([callee, caller]) => caller !== undefined && fileOf(callee) !== fileOf(caller));
  if (values.list)
    for (const [callee, caller] of calls.toSorted())
      process.stdout.write(`${caller ?? 'the event loop'} -> ${callee}\n`);
  process.stdout.write(`${path}: ${files.size} files, ${functions.size} functions, ${hops.length} hops\n`);
} finally {
  service.removeAllListeners('exit').kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
