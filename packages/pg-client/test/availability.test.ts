import { expect, it } from 'vitest';
import { Breaker, isServersFault } from '../src/client/breaker.ts';
import { classifyError } from '../src/client/classify-error.ts';
import type { MonotonicClock } from '../src/client/clock.ts';
import { LostOwners } from '../src/client/lost-owners.ts';
import { ConnectionLost, DatabaseLost, DatabaseUnavailable, KeyIsSlow, ServerError } from '../src/index.ts';

/** A clock that a test sets, and the calls that wait for it. */
function stoppedClock() {
  const delays: number[] = [];
  const calls: (() => void)[] = [];
  const clock: MonotonicClock & { time: number } = {
    time: 1000,
    now: () => clock.time,
    after(milliseconds, call) {
      delays.push(milliseconds);
      calls.push(call);
      return () => {};
    },
    every: () => () => {},
  };
  return { clock, delays, next: () => calls.shift()!() };
}

const serverError = (code: string, severity?: string) =>
  new ServerError([...(severity ? [`V${severity}`] : []), `C${code}`, 'Mno', ''].join('\0'));
const settle = () => new Promise<void>(resolve => setImmediate(resolve));

it.each([
  ['08006', 'ERROR', 'answer'],
  ['57P01', 'ERROR', 'answer'],
  ['08006', 'FATAL', 'absence'],
  ['28000', 'FATAL', 'absence'],
  ['28P01', 'PANIC', 'absence'],
  ['3D000', 'FATAL', 'absence'],
  ['53300', 'FATAL', 'absence'],
  ['57P01', 'FATAL', 'absence'],
  ['57P02', 'FATAL', 'absence'],
  ['57P03', 'FATAL', 'absence'],
  ['57P04', 'FATAL', 'absence'],
  ['57P05', 'FATAL', 'end'],
  ['57014', 'FATAL', 'end'],
  ['53200', 'FATAL', 'end'],
  ['3F000', 'FATAL', 'end'],
  ['XX000', 'PANIC', 'end'],
  ['42601', 'WARNING', 'answer'],
  ['08P01', undefined, 'absence'],
  ['42601', undefined, 'answer'],
])('an error with the code %s and the severity %s means: %s', (code, severity, meaning) => {
  expect(classifyError(serverError(code, severity))).toBe(meaning);
});

it('an error that no server sent means that the server is absent', () => {
  expect([classifyError(new Error('reset')), classifyError(new ConnectionLost('gone'))]).toEqual([
    'absence',
    'absence',
  ]);
});

it.each<[what: string, error: Error, isFault: boolean]>([
  ['a lost server', new DatabaseLost('lost'), true],
  ['an unavailable database', new DatabaseUnavailable('away'), false],
  ['a slow key', new KeyIsSlow('slow'), false],
  ['a conflict with recovery', serverError('40001', 'ERROR'), true],
  ['a deadlock', serverError('40P01', 'ERROR'), false],
  ['a shutdown', serverError('57P01', 'FATAL'), true],
  ['a wrong statement', serverError('42601', 'ERROR'), false],
  ['an ended session', serverError('57P05', 'FATAL'), false],
  ['a lost connection', new ConnectionLost('reset'), true],
  ['another error', new TypeError('wrong'), false],
])('a statement is sent to another server after %s or not', (_, error, isFault) => {
  expect(isServersFault(error)).toBe(isFault);
});

/** A breaker with the events that it has reported. */
function breaker(probe: () => Promise<unknown> = () => new Promise(() => {})) {
  const time = stoppedClock();
  const events: string[] = [];
  const made = new Breaker(
    probe,
    { away: ({ message }) => events.push(`away: ${message}`), back: () => events.push('back') },
    time.clock,
  );
  return { ...time, made, events };
}
const lost = new ConnectionLost('reset');

it('a server counts as unavailable after three losses in a row', () => {
  const { made, events, clock } = breaker();
  made.failed(lost);
  made.failed(lost);
  made.answered();
  made.failed(lost);
  made.failed(lost);
  expect(made.reason).toBeUndefined();
  // An error of the statement is an answer as well.
  made.failed(serverError('42601', 'ERROR'));
  made.failed(lost);
  made.failed(lost);
  // The client itself closed this connection.
  for (let n = 0; n < 5; n++) made.failed(new DatabaseLost('closed'));
  expect([made.reason, events]).toEqual([undefined, []]);
  made.failed(lost);
  expect([made.reason, events]).toEqual([lost, ['away: reset']]);
  clock.time += 70;
  expect(made.age).toBe(70);
  made.open(new Error('again'));
  expect([made.reason, made.age, events]).toEqual([lost, 70, ['away: reset']]);
});

it('an unavailable server is probed every 100 milliseconds, and names the latest reason until it is back', async () => {
  const results = [new Error('first'), new Error('second'), undefined];
  const { made, events, delays, next } = breaker(async () => {
    const error = results.shift();
    if (error) throw error;
  });
  for (let n = 0; n < 3; n++) made.failed(lost);
  await settle();
  expect([made.reason?.message, delays]).toEqual(['first', [100]]);
  next();
  await settle();
  expect([made.reason?.message, delays]).toEqual(['second', [100, 100]]);
  next();
  await settle();
  expect([made.reason, delays, events]).toEqual([undefined, [100, 100], ['away: reset', 'back']]);
  // The losses before are forgotten.
  made.failed(lost);
  made.failed(lost);
  expect(made.reason).toBeUndefined();
});

it('an ended breaker keeps its reason and never reports that the server is back', async () => {
  const { made, events, next, delays } = breaker(() => Promise.reject(new Error('down')));
  made.open(lost);
  await settle();
  const closed = new Error('closed');
  made.end(closed);
  next();
  await settle();
  expect([made.reason, made.age, delays, events]).toEqual([
    closed,
    Number.POSITIVE_INFINITY,
    [100],
    ['away: reset'],
  ]);
  made.open(lost);
  expect([made.reason, events]).toEqual([closed, ['away: reset']]);
});

const worker = serverError('08006', 'ERROR');
/** Owners, and a function that asks for one and returns the result or the name of the error. */
function lostOwners() {
  const { clock } = stoppedClock();
  const owners = new LostOwners(clock, 100);
  const sent: string[] = [];
  const ask = (names: string | string[], error?: Error) =>
    owners
      .ask(names, async () => {
        sent.push(String(names));
        if (error) throw error;
        return 'row';
      })
      .catch((thrown: Error) => thrown.name);
  return { clock, owners, sent, ask };
}

it('statements for an owner are refused after three losses in a row, except one every 100 milliseconds', async () => {
  const { clock, owners, sent, ask } = lostOwners();
  for (let n = 0; n < 2; n++) expect(await ask('a', worker)).toBe('PostgresError');
  expect(await ask('a')).toBe('row');
  for (let n = 0; n < 3; n++) expect(await ask(['a'], worker)).toBe('PostgresError');
  expect([await ask('a'), owners.refused, sent.length]).toEqual(['DatabaseUnavailable', 1, 6]);
  expect([await ask('b'), await ask(['a', 'b']), await ask(['a', 'c'], worker)]).toEqual([
    'row',
    'row',
    'PostgresError',
  ]);
  clock.time += 99;
  expect(await ask('a')).toBe('DatabaseUnavailable');
  clock.time += 1;
  const attempt = ask('a', lost);
  // While one statement is sent, the others are refused.
  expect(await ask('a')).toBe('DatabaseUnavailable');
  expect(await attempt).toBe('ConnectionLost');
  expect(owners.refused).toBe(3);
  clock.time += 100;
  expect([await ask('a'), await ask('a'), owners.refused]).toEqual(['row', 'row', 3]);
});

it('only errors of a lost worker count as a loss of the owner', async () => {
  const { owners, ask } = lostOwners();
  for (const error of [lost, serverError('08006', 'FATAL'), serverError('42601', 'ERROR')])
    for (let n = 0; n < 4; n++) await ask('a', error);
  expect([await ask('a'), owners.refused]).toEqual(['row', 0]);
});
