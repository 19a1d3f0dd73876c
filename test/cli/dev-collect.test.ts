import { EventEmitter } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DevCollector, startCollecting } from '../../src/cli/dev-collect.ts';
import { OWN_ACCOUNT } from '../../src/cli/first-start.ts';
import { readConfig } from '../../src/config.ts';
import { makeFolder } from '../support/folder.ts';
import { replaceFunction } from '../support/replaced-functions.ts';

class FakeChild extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly signals: string[] = [];
  exitCode: number | null = null;
  signalCode: string | null = null;

  kill = (signal: string) => this.signals.push(signal);
  /** @param last what is read from its standard error after its end */
  end(code: number | null, signal: string | null = null, last = '') {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit('exit', code, signal);
    this.stderr.on('end', () => this.emit('close', code, signal));
    setImmediate(() => this.stderr.end(last));
  }
}

let folder: string;
let started: { args: string[]; env: Record<string, string>; child: FakeChild }[];
let restore: () => void;

beforeEach(() => {
  folder = makeFolder();
  started = [];
  const spawn = (_: string, [, ...args]: string[], { env }: { env: Record<string, string> }) => {
    const child = new FakeChild();
    started.push({ args, env, child });
    return child;
  };
  restore = replaceFunction('node:child_process', 'spawn', spawn as never);
});
afterEach(() => {
  restore();
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function begin(settings: Record<string, string> = {}): Promise<DevCollector> {
  const count = started.length;
  const config = readConfig({ DATA_DIRECTORY: folder, ...settings });
  const collecting = startCollecting(config, 'postgres://db/one', 'demo');
  await vi.waitUntil(() => started.length > count);
  started[count]!.child.stdout.write('{"level":30,"url":"http://127.0.0.1:4010"}\n');
  return collecting;
}

it('the collector of "dev" gets its settings and no database, and the importer what it stores', async () => {
  const { address } = await begin({
    COLLECT_PORT: '4011',
    COLLECT_HOST: '0.0.0.0',
    COLLECT_PROXIES: '10.0.0.1',
  });
  const [spool, tokens] = [join(folder, 'spool'), join(folder, 'collect-tokens.ndjson')];
  const npm = { npm_lifecycle_event: 'start' };
  expect(started.map(({ args, env }) => [args, env])).toEqual([
    [
      ['collect'],
      {
        ...npm,
        COLLECT_SPOOL: spool,
        COLLECT_TOKENS: tokens,
        COLLECT_HOST: '0.0.0.0',
        COLLECT_PORT: '4011',
        COLLECT_PROXIES: '10.0.0.1',
        LOG_LEVEL: 'info',
      },
    ],
    [
      ['import', '--watch-root', spool, '--format', 'collected', '--every', '1s', '--remove'],
      { ...npm, DATABASE_URL: 'postgres://db/one' },
    ],
  ]);
  const [, token] = /^http:\/\/127\.0\.0\.1:4010\/r\/(\w+)$/.exec(address)!;
  expect(readFileSync(join(folder, 'collect-demo.env'), 'utf8')).toBe(`TOKEN=${token}\n`);
  expect(readFileSync(tokens, 'utf8')).toContain('"demo"');
  // The next start has the same token, at the address that browsers use.
  const again = await begin({ COLLECT_URL: 'https://reports.example/' });
  expect(again.address).toBe(`https://reports.example/r/${token}`);
});

it('the token of an earlier start is replaced if the file of tokens is missing', async () => {
  const { address } = await begin();
  rmSync(join(folder, 'collect-tokens.ndjson'));
  expect((await begin()).address).not.toBe(address);
});

it('warnings of the collector and all lines of the importer are passed on', async () => {
  await begin();
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => Boolean(said.push(String(text))));
  const [collector, importer] = started.map(({ child }) => child);
  for (const level of [30, 40]) collector!.stdout.write(`{"level":${level}}\n`);
  importer!.stderr.write('Imported 1\n');
  await vi.waitUntil(() => said.length >= 2);
  expect(said.toSorted()).toEqual(['Imported 1\n', 'collector: {"level":40}\n']);
});

it.each([
  ['Port 4010 is in use\n', 'Port 4010 is in use'],
  ['', 'The collector has ended'],
])('a collector that ends with %j is no collector', async (text, message) => {
  const collecting = startCollecting(readConfig({ DATA_DIRECTORY: folder }), 'postgres://db/one', 'demo');
  const failure = expect(collecting).rejects.toThrow(new RegExp(`^${message}$`));
  await vi.waitUntil(() => started.length > 0);
  const { child } = started[0]!;
  child.end(1, null, text);
  await failure;
  expect(started).toHaveLength(1);
});

it('both processes end if the account cannot be set up', async () => {
  const closed = 'postgres://sightline@127.0.0.1:1/sightline';
  const collecting = startCollecting(readConfig({ DATA_DIRECTORY: folder }), closed, OWN_ACCOUNT);
  const failure = expect(collecting).rejects.toThrow('ECONNREFUSED');
  await vi.waitUntil(() => started.length > 0);
  started[0]!.child.stdout.write('{"level":30,"url":"http://127.0.0.1:4010"}\n');
  for (const index of [0, 1]) {
    await vi.waitUntil(() => started[index]?.child.signals.length === 1);
    started[index]!.child.end(0);
  }
  await failure;
  expect(started.map(({ child }) => child.signals)).toEqual([['SIGTERM'], ['SIGTERM']]);
});

it('the collector ends before the importer, and each is killed after four seconds', async () => {
  const { close } = await begin();
  const [collector, importer] = started.map(({ child }) => child);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = close();
  expect([collector!.signals, importer!.signals]).toEqual([['SIGTERM'], []]);
  vi.advanceTimersByTime(3999);
  expect(collector!.signals).toEqual(['SIGTERM']);
  vi.advanceTimersByTime(1);
  expect(collector!.signals).toEqual(['SIGTERM', 'SIGKILL']);
  collector!.end(null, 'SIGKILL');
  await turn();
  expect(importer!.signals).toEqual(['SIGTERM']);
  importer!.end(0);
  await closed;
  expect([importer!.signals, vi.getTimerCount()]).toEqual([['SIGTERM'], 0]);
  // Another call does not wait for processes that have ended.
  await close();
  expect(collector!.signals).toHaveLength(2);
});
