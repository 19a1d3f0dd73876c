import { createHash } from 'node:crypto';
import type { BenchDatabase } from './database.ts';
import type { LoadResult, ReadTimes } from './load-client.ts';
import type { BenchOptions } from './options.ts';
import { cpuSeconds, Generator, peakMemory } from './processes.ts';
import { routesOn, TRAIL } from './routes.ts';
import {
  authorization,
  type BenchService,
  requestText,
  type ServiceName,
  startService,
  stopService,
} from './services.ts';

export interface TrailMeasure extends ReadTimes {
  /** The service's processor time in seconds. */
  cpu: number;
  /** The peak memory, in MB, of a process that does nothing else. */
  peak: number;
}

export type TrailResults = Record<TrailService, TrailMeasure[]>;
type TrailService = Extract<ServiceName, 'ours' | 'yardstick'>;

/** Few rounds suffice: each takes seconds, and they differ little. */
const MOST_ROUNDS = 3;

/** Reads the whole audit trail, each time from a new process. */
export async function measureTrail(
  database: BenchDatabase,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<TrailResults> {
  const results: TrailResults = { ours: [], yardstick: [] };
  const generator = new Generator();
  const request = trailRequest(database);
  const hashes: Record<string, string> = {};
  for (let round = 0; round < Math.min(MOST_ROUNDS, options.rounds); round++) {
    for (const name of ['ours', 'yardstick'] as const) {
      const service = await startService(name, database);
      const before = cpuSeconds([service.pid]);
      const reading = await generator.run<ReadTimes>({ kind: 'read', port: service.port, request });
      const cpu = cpuSeconds([service.pid]) - before;
      results[name].push({ ...reading, cpu, peak: peakMemory(service.pid) });
      if (round === 0) hashes[name] = await isHash(service, database);
      await stopService(service);
    }
  }
  await generator.stop();
  if (hashes.ours !== hashes.yardstick) throw new Error('the whole trails differ');
  say('the whole trails are equal\n');
  return results;
}

const trailRequest = (database: BenchDatabase) =>
  requestText(TRAIL.path, { Authorization: authorization(database, TRAIL.caller), Connection: 'close' });

async function isHash({ port }: BenchService, database: BenchDatabase): Promise<string> {
  const hash = createHash('sha1');
  const response = await fetch(`http://127.0.0.1:${port}${TRAIL.path}`, {
    headers: { authorization: authorization(database, TRAIL.caller), 'accept-encoding': 'identity' },
  });
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

const READERS = 4;
/** The number of concurrent requests, so few that they do not queue. */
const CONNECTIONS = 4;
const SECONDS = 5;

/** Measures `/v1/me` while four other clients repeatedly read the whole audit trail. */
export async function measureLatency(
  database: BenchDatabase,
): Promise<LoadResult & { trails: number; peak: number }> {
  const service = await startService('ours', database);
  const [load, readers] = [new Generator(), new Generator()];
  const me = routesOn(new Date()).me;
  const request = requestText(me.path, { Authorization: authorization(database, me.caller) });
  const job = { kind: 'load', port: service.port, request, connections: CONNECTIONS, status: 200 } as const;
  await load.run({ ...job, seconds: 1 });
  const [trails, result] = await Promise.all([
    readers.run<number>({
      kind: 'readers',
      port: service.port,
      request: trailRequest(database),
      readers: READERS,
      seconds: SECONDS,
    }),
    load.run<LoadResult>({ ...job, seconds: SECONDS }),
  ]);
  const peak = peakMemory(service.pid);
  await Promise.all([load.stop(), readers.stop(), stopService(service)]);
  return { ...result, trails, peak };
}
