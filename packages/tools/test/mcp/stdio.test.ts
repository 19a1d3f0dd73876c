import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { speakMcp } from '../../src/mcp/stdio.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

const FACTS = { version: '1.2.3', names: { groupings: () => [], filters: () => [] } };
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'quota', arguments: {} },
});

let input: PassThrough;
let written: string;
/** Answers the calls of the service in their order. */
let pending: ((data: object) => void)[];
let errors: string[];

beforeEach(() => {
  [input, written, pending, errors] = [new PassThrough(), '', [], []];
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Starts to serve. Returns whether it has ended, and a function that waits for that. */
function speak() {
  const output = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    written += text;
    return true;
  });
  const ask = () => new Promise(resolve => pending.push(resolve));
  const service = { ask, link: () => 'https://a.example/app#/' } as unknown as ServiceConnection;
  const state = { isOver: false };
  const over = speakMcp(service, FACTS, ({ message }) => errors.push(message)).then(() => {
    state.isOver = true;
    output.mockRestore();
  });
  return { state, over };
}

const send = (...lines: (object | string)[]) => {
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
};
const lines = () => written.split('\n').slice(0, -1);
const ids = () => lines().map(line => JSON.parse(line).id);
const turns = async () => {
  for (let count = 0; count < 20; count++) await new Promise(resolve => setImmediate(resolve));
};

it('calls are answered after standard input has ended, and everything is closed after the last one', async () => {
  const { state, over } = speak();
  send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(1), call(2));
  input.end();
  await vi.waitUntil(() => pending.length === 2);
  expect([ids(), state.isOver]).toEqual([[0], false]);
  pending[1]!({});
  await vi.waitUntil(() => ids().length === 2);
  expect([ids(), state.isOver]).toEqual([[0, 2], false]);
  pending[0]!({ used: 7 });
  await over;
  expect(ids()).toEqual([0, 2, 1]);
  expect(JSON.parse(lines()[2]!).result.content[0].text).toContain('"used": 7');
  expect(errors).toEqual([]);
});

it('it ends at once without calls, and writes nothing for notifications and empty lines', async () => {
  const { over } = speak();
  send('', '  ', INITIALIZE, '\t', { jsonrpc: '2.0', method: 'notifications/initialized' });
  await vi.waitUntil(() => ids().length === 1);
  input.end();
  await over;
  expect([ids(), errors]).toEqual([[0], []]);
});

it('an invalid message is refused on a line of its own, and is not waited for', async () => {
  const { over } = speak();
  send(INITIALIZE, '{', [call(1)], { jsonrpc: '2.0', id: 5 }, { ...call(6), params: { name: 'other' } });
  input.end();
  await over;
  const refusals = lines().map(line => JSON.parse(line));
  const codes = refusals.filter(({ error }) => error).map(({ id, error }) => [id, error.code]);
  expect(codes).toEqual([
    [null, -32_700],
    [null, -32_600],
    [6, -32_602],
  ]);
});

it('a call that is cancelled is not waited for', async () => {
  const { state, over } = speak();
  send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(1), call(2));
  await vi.waitUntil(() => pending.length === 2);
  const cancel = (requestId: number) => ({
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
    params: { requestId },
  });
  send(cancel(1));
  input.end();
  await turns();
  expect(state.isOver).toBe(false);
  pending[1]!({});
  await over;
  expect(ids()).toEqual([0, 2]);
});

it('a call without an answer is waited for at most one minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { state, over } = speak();
  send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(1));
  input.end();
  await turns();
  expect(pending).toHaveLength(1);
  vi.advanceTimersByTime(59_999);
  await turns();
  expect(state.isOver).toBe(false);
  vi.advanceTimersByTime(1);
  await over;
  expect(ids()).toEqual([0]);
});
