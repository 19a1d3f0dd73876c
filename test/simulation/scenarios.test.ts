import { expect, it } from 'vitest';
import type { Fault, FaultKind, History, SimulatedRequest } from './history.ts';
import { type Fate, type PlayResult, play, type Sample } from './play.ts';

/** Records what the database client does in small situations, each about one rule of the pool. */

type Scenario = Pick<History, 'poolSize' | 'requests'> & { faults?: Fault[]; settings?: History['settings'] };

let requests = 0;

/** Statements of a key that begin at the same time; '' is the service itself. */
function send(
  key: string,
  at: number,
  count: number,
  takes: number,
  options: { quick?: boolean; apart?: number; request?: number } = {},
) {
  const { quick = false, apart = 0, request } = options;
  return Array.from(
    { length: count },
    (_, number): SimulatedRequest => ({
      ...{ key, takes, quick, at: at + number * apart, request: request ?? ++requests },
    }),
  );
}

const fault = (kind: FaultKind, from: number, to: number, amount = 0, ...keys: string[]): Fault => ({
  ...{ kind, from, to, amount },
  ...(keys.length > 0 && { keys: new Set(keys) }),
});

const quick = { quick: true };

const SCENARIOS: Record<string, () => Scenario> = {
  'one key uses all connections but one': () => ({ poolSize: 4, requests: send('a', 10, 6, 50) }),
  'a pool of two has no reserved connection': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 4, 50), ...send('', 12, 1, 5)],
  }),
  'a pool of three reserves one for the service': () => ({
    poolSize: 3,
    requests: [...send('a', 10, 4, 50), ...send('', 12, 3, 5)],
  }),
  'a second key gets the next connection': () => ({
    poolSize: 4,
    requests: [...send('a', 10, 6, 50), ...send('b', 15, 2, 50), ...send('a', 20, 1, 5)],
  }),
  'the key with the least recent use goes first': () => ({
    poolSize: 2,
    requests: [
      ...send('a', 10, 1, 400),
      ...send('b', 420, 1, 40),
      ...send('c', 500, 2, 100),
      ...send('a', 510, 1, 10),
      ...send('b', 520, 1, 10),
      ...send('d', 530, 1, 10),
    ],
  }),
  'the service goes before all keys': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 3, 50), ...send('b', 11, 1, 50), ...send('', 12, 2, 20)],
  }),
  'quick statements share connections, at most four each': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 1, 1, quick), ...send('a', 30, 11, 2, quick)],
  }),
  'quick statements of two keys share a connection, but not with a slow one': () => ({
    poolSize: 2,
    requests: [
      ...send('a', 10, 1, 1, quick),
      ...send('b', 20, 1, 1, quick),
      ...send('c', 40, 1, 300),
      ...send('a', 45, 2, 5, quick),
      ...send('b', 46, 2, 5, quick),
    ],
  }),
  'a statement like the last quick one counts as quick': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 1, 2), ...send('a', 30, 5, 10), ...send('a', 120, 5, 30)],
  }),
  'slow keys use half of the pool': () => ({
    poolSize: 4,
    requests: [
      ...send('a', 10, 1, 700),
      ...send('b', 20, 8, 10, { apart: 60 }),
      ...send('a', 800, 4, 350),
      ...send('b', 810, 4, 10, { apart: 30 }),
    ],
    faults: [],
  }),
  'a quick key overflows while others hang': () => ({
    poolSize: 3,
    requests: [
      ...send('a', 5, 1, 5),
      ...send('b', 6, 1, 5),
      ...send('a', 100, 3, 20, { apart: 5 }),
      ...send('b', 500, 6, 20, { apart: 40 }),
      ...send('c', 600, 2, 20),
    ],
    faults: [fault('hang', 90, 1700, 0, 'a')],
  }),
  'an overflow connection that is refused fails no statement': () => ({
    poolSize: 3,
    requests: [...send('b', 6, 1, 5), ...send('a', 100, 2, 20), ...send('b', 500, 6, 20, { apart: 40 })],
    faults: [fault('hang', 90, 1700, 0, 'a'), fault('full', 50, 3000, 3)],
  }),
  'a full queue refuses, and one key can fill half of it': () => ({
    poolSize: 2,
    settings: { queueLimit: 5 },
    requests: [...send('a', 10, 6, 60), ...send('b', 12, 4, 60), ...send('', 14, 2, 5)],
  }),
  'the service can fill the whole queue': () => ({
    poolSize: 2,
    settings: { queueLimit: 5 },
    requests: send('', 10, 9, 60),
  }),
  'a statement that waits for too long is refused, except behind its own request': () => ({
    poolSize: 2,
    requests: [
      ...send('a', 10, 2, 1200, { request: -1 }),
      ...send('a', 20, 1, 10, { request: -1 }),
      ...send('a', 30, 1, 10),
      ...send('b', 40, 1, 10),
    ],
  }),
  'after a long wait the newest statement of a key goes first': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 2, 500), ...send('b', 20, 4, 30, { apart: 100 })],
  }),
  'statements of clients that have gone are dropped while they wait': () => ({
    poolSize: 2,
    requests: [
      ...send('a', 10, 2, 300, { request: 1 }),
      ...send('a', 20, 2, 10, { request: 2 }),
      ...send('a', 30, 1, 10, { request: 3 }),
    ],
    faults: [fault('gone', 100, 2000, 0, 'a')],
  }),
  'statements wait for a server that restarts': () => ({
    poolSize: 3,
    requests: [...send('a', 10, 2, 20), ...send('a', 90, 2, 60), ...send('a', 110, 8, 20, { apart: 100 })],
    faults: [fault('down', 100, 700)],
  }),
  'statements fail at once if another server can answer': () => ({
    poolSize: 3,
    settings: { isReplaceable: true },
    requests: [...send('a', 10, 2, 20), ...send('a', 90, 2, 60), ...send('a', 110, 8, 20, { apart: 100 })],
    faults: [fault('down', 100, 700)],
  }),
  'statements fail if the server stays away': () => ({
    poolSize: 3,
    requests: [...send('a', 90, 2, 60), ...send('a', 110, 5, 20, { apart: 400 })],
    faults: [fault('down', 100, 2600)],
  }),
  'a silent server is given up, and its connections are replaced': () => ({
    poolSize: 3,
    requests: [
      ...send('a', 10, 1, 5),
      ...send('a', 100, 2, 20),
      ...send('', 120, 1, 5),
      ...send('b', 1500, 3, 20, { apart: 600 }),
    ],
    faults: [fault('silence', 50, 2500)],
  }),
  'a lost connection fails its first statement, and the others are sent again': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 1, 2, quick), ...send('a', 50, 7, 30, quick)],
    faults: [fault('cut', 60, 61)],
  }),
  'statements behind an overdue one are sent again': () => ({
    poolSize: 2,
    requests: [
      ...send('a', 10, 1, 2, quick),
      ...send('b', 20, 1, 2, quick),
      ...send('a', 50, 2, 900, quick),
      ...send('b', 51, 3, 2, quick),
    ],
  }),
  'an account on a lost worker is refused after three losses': () => ({
    poolSize: 3,
    requests: [...send('a', 10, 12, 5, { apart: 30 }), ...send('b', 12, 3, 5, { apart: 100 })],
    faults: [fault('lostWorker', 0, 250, 0, 'a')],
  }),
  'a process that stood still does not blame the server': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 2, 100), ...send('a', 30, 1, 10)],
    faults: [fault('standStill', 50, 2900)],
  }),
  'a statement that exceeds its time is cancelled by the server': () => ({
    poolSize: 2,
    requests: [...send('a', 10, 1, 2500), ...send('a', 20, 1, 30)],
  }),
};

const toTime = (at: number | undefined) => (at === undefined ? '–' : String(Math.round(at * 10) / 10));

function describeFate({ at, key, takes, quick, sentAt, settledAt, failure, waiting }: Fate): string {
  const name = `${toTime(at)} ${key || 'service'} ${takes} ms${quick ? ' quick' : ''}`;
  const how = failure === undefined ? '' : `: ${failure}${waiting > 0 ? `, ${waiting} waiting` : ''}`;
  return `${name} → sent ${toTime(sentAt)}, ended ${toTime(settledAt)}${how}`;
}

function describeSample({ counters, busy }: Sample): string {
  const { running, waiting, connections, attempts, isAway, ended, failed, waited, refused, replacements } =
    counters;
  const others = Object.entries(refused).filter(([, count]) => count > 0);
  return [
    `${running} running, ${waiting} waiting, ${busy} busy of ${connections} after ${attempts} attempts${isAway ? ', away' : ''}`,
    `${ended.count} ended in ${toTime(ended.milliseconds)}, ${waited.count} waited ${toTime(waited.milliseconds)}`,
    `${failed} failed, ${replacements} replaced, refused ${others.map(([why, count]) => `${why} ${count}`).join(' ') || 'none'}`,
  ].join('; ');
}

function describePlay({ fates, samples, connections, aways }: PlayResult): string[] {
  const lines = fates.map(describeFate);
  let before = '';
  for (const sample of samples) {
    const text = describeSample(sample);
    if (text !== before && sample.at % 100 === 25) lines.push(`  ${toTime(sample.at)}: ${text}`);
    before = text;
  }
  return [
    ...lines,
    `  at most ${connections} connections, away at ${aways.map(toTime).join(' ') || 'no time'}`,
  ];
}

it('each situation ends as recorded', async () => {
  const blocks: string[] = [];
  for (const [name, make] of Object.entries(SCENARIOS)) {
    const { faults = [], ...scenario } = make();
    const healedAt = Math.max(0, ...faults.map(({ to }) => to));
    const history: History = {
      ...{ seed: 1, kind: 'mixed', load: 0, calm: new Set(), healedAt, endsAt: 3000, faults },
      ...scenario,
    };
    blocks.push([`=== ${name}`, ...describePlay(await play(history))].join('\n'));
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('../recorded/pool-scenarios.txt');
});
