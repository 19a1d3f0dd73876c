import { beforeEach, expect, it, vi } from 'vitest';
import { endInOrder, type Lifetime } from '../../src/cli/lifetime.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { simulateExit } from '../support/ending-process.ts';

let said: string[];
let send: ReturnType<typeof simulateExit>;

beforeEach(() => {
  said = [];
  send = simulateExit(code => void said.push(`exit ${code}`));
});

function begin(more: Partial<Lifetime> = {}) {
  const write = (level: string) => (fields: object, text: string) =>
    void said.push(`${level} ${Object.entries(fields).map(String).join()} ${text}`);
  return endInOrder({
    logger: { info: write('info'), fatal: write('fatal') } as unknown as Logger,
    close: async () => void said.push('close'),
    limit: 60_000,
    ...more,
  });
}

async function receive(...events: [event: string, what?: unknown][]): Promise<string[]> {
  for (const event of events) send(...event);
  await vi.waitUntil(() => said.some(line => line.startsWith('exit')));
  return said;
}

it.each(['SIGINT', 'SIGTERM'])('%s ends a process in order, once', async signal => {
  begin();
  expect(await receive([signal], ['SIGTERM'], ['SIGINT'])).toEqual([
    `info signal,${signal} ending`,
    'close',
    'exit 0',
  ]);
});

it('a process that others replace ends with that as the reason', async () => {
  const end = begin();
  end({ reason: 'replaced' });
  expect(await receive(['SIGTERM'])).toEqual(['info reason,replaced ending', 'close', 'exit 0']);
});

it('SIGHUP reloads what can reload until it ends, and ends everything else', async () => {
  begin({ reload: () => void said.push('reload') });
  expect(await receive(['SIGHUP'], ['SIGTERM'], ['SIGHUP'])).toEqual([
    'reload',
    'info signal,SIGTERM ending',
    'close',
    'exit 0',
  ]);
});

it('SIGHUP ends what cannot reload', async () => {
  begin();
  expect(await receive(['SIGHUP'])).toEqual(['close', 'exit 0']);
});

it.each(['uncaughtException', 'unhandledRejection'])('%s ends a process in order with 1', async event => {
  begin();
  expect(await receive([event, new Error('unexpected')])).toEqual([
    'fatal err,Error: unexpected exiting after an unexpected error',
    'close',
    'exit 1',
  ]);
});

it('a process that cannot close exits with 1 at its limit', async () => {
  begin({ close: () => new Promise(() => {}), limit: 1 });
  expect(await receive(['SIGTERM'])).toEqual(['info signal,SIGTERM ending', 'exit 1']);
});

it('a process does not end by itself when it has nothing to do', async () => {
  begin();
  expect(await receive(['beforeExit'], ['SIGTERM'])).toEqual([
    'info signal,SIGTERM ending',
    'close',
    'exit 0',
  ]);
});
