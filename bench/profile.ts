import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import type { BenchDatabase } from './database.ts';
import type { BenchOptions } from './options.ts';
import { Generator } from './processes.ts';
import { routesOn } from './routes.ts';
import { authorization, requestText, startService, stopService } from './services.ts';
import { number, table } from './table.ts';

const SHOWN = 30;

/** Profiles our service on each of the routes; the whole profiles go into the folder. */
export async function profileRoutes(
  database: BenchDatabase,
  options: BenchOptions,
  folder: string,
): Promise<string> {
  const service = await startService('ours', database, options);
  const generator = new Generator();
  const parts: string[] = [];
  for (const name of options.profile) {
    const { path, asker } = routesOn(new Date())[name];
    const request = requestText(path, { Authorization: authorization(database, asker) });
    const load = {
      kind: 'load',
      port: service.port,
      request,
      connections: options.connections,
      status: 200,
    } as const;
    await generator.run({ ...load, seconds: 1.5 });
    await answerTo(service.child, 'startProfile');
    await generator.run({ ...load, seconds: options.seconds * 2 });
    const profile = (await answerTo(service.child, 'endProfile')) as Profiler.Profile;
    writeFileSync(`${folder}/${name}.cpuprofile`, JSON.stringify(profile));
    parts.push(`${name}: ${path}\n\n${summary(profile)}`);
  }
  await Promise.all([generator.stop(), stopService(service)]);
  return parts.join('\n');
}

async function answerTo(child: Awaited<ReturnType<typeof startService>>['child'], request: string) {
  const answered = once(child, 'message');
  child.send(request);
  return (await answered)[0];
}

interface Place {
  name: string;
  self: number;
}

/** Waiting, and the start of the profile itself. */
const NOT_OURS = new Set(['(idle)', '(program)', 'dispatch']);

/** The functions, and the files and packages, with the most time of their own; idle time left out. */
function summary({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const functions = new Map<string, number>();
  const rooms = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id)!.callFrame;
    if (NOT_OURS.has(frame.functionName)) continue;
    const time = timeDeltas[index] ?? 0;
    total += time;
    const place = placeOf(frame.url);
    add(functions, `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`, time);
    add(rooms, roomOf(frame, place), time);
  }
  const rows = (times: Map<string, number>, count: number) =>
    largest(times)
      .slice(0, count)
      .map(({ name, self }) => [name, `${number((self / total) * 100)} %`]);
  return `${table(['where', 'self'], rows(rooms, 15))}\n${table(['function', 'self'], rows(functions, SHOWN))}`;
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

function largest(times: Map<string, number>): Place[] {
  return [...times].map(([name, self]) => ({ name, self })).toSorted((a, b) => b.self - a.self);
}

/** The path within the project or its packages. */
function placeOf(url: string): string {
  return url.replace(/^.*\/node_modules\//, '').replace(/^.*\/bench\/dist\//, '');
}

function roomOf(
  { url, functionName }: Profiler.Profile['nodes'][number]['callFrame'],
  place: string,
): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'built into V8';
  if (url.startsWith('node:')) return `node:${url.slice(5).split('/').slice(0, 2).join('/')}`;
  if (url.includes('/node_modules/'))
    return place
      .split('/')
      .slice(0, place.startsWith('@') ? 2 : 1)
      .join('/');
  return place;
}
