import cluster, { type Worker } from 'node:cluster';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOnWhatIsNotTaken } from '../src/workers/hand-over.ts';
import { VERSION_OF_PARENT } from '../src/workers/messages.ts';
import { REFUSED, WorkerFailed, Workers } from '../src/workers/workers.ts';
import { FakeWorker } from './support/fake-worker.ts';

const asWorker = (worker: FakeWorker) => worker as unknown as Worker;
const REPLACED = { isReplaced: true };

let forked: FakeWorker[];
let log: string[];
let refusals: number;

beforeEach(() => {
  [forked, log, refusals] = [[], [], 0];
  vi.spyOn(cluster, 'setupPrimary').mockImplementation(() => {});
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = new FakeWorker(100 + forked.length);
    forked.push(worker);
    return asWorker(worker);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  for (const worker of forked) worker.end(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const turn = () => new Promise(resolve => setImmediate(resolve));

function create(count: number): Workers {
  const write = (level: string) => (fields: object | string, text?: string) =>
    void log.push(`${level} ${typeof fields === 'string' ? fields : `${JSON.stringify(fields)} ${text}`}`);
  return new Workers({
    count,
    args: ['serve'],
    env: { LOG_LEVEL: 'warn' },
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
    version: () => '1.2.3',
    onRefusal: () => void refusals++,
  });
}

async function started(count: number): Promise<Workers> {
  const workers = create(count);
  const start = workers.start();
  for (const worker of forked) worker.listen();
  expect(await start).toBe(4000);
  return workers;
}

describe('workers', () => {
  it('run the same program with the settings and the version of the messages', async () => {
    await started(2);
    expect(vi.mocked(cluster.setupPrimary).mock.calls).toEqual([[{ args: ['serve'] }]]);
    expect(vi.mocked(cluster.fork).mock.calls).toEqual(
      Array(2).fill([{ LOG_LEVEL: 'warn', ...VERSION_OF_PARENT }]),
    );
    expect(log).toEqual([]);
  });

  it.each([
    [1, null],
    [null, 'SIGKILL'],
  ])('are all ended if one of them ends before it listens, with %j %j', async (code, signal) => {
    const start = create(3).start();
    forked[0]!.listen();
    forked[1]!.end(code, signal);
    await expect(start).rejects.toThrow(WorkerFailed);
    expect(forked.map(worker => worker.process.sent)).toEqual([['SIGTERM'], [], ['SIGTERM']]);
    vi.runAllTimers();
    expect(forked).toHaveLength(3);
  });

  it('are restarted after a delay that doubles up to ten seconds, unless they ran for more than ten', async () => {
    await started(1);
    const delays: number[] = [];
    for (let times = 0; times < 10; times++) {
      forked.at(-1)!.end(null, 'SIGKILL');
      const count = forked.length;
      const before = performance.now();
      vi.advanceTimersToNextTimer();
      expect(forked).toHaveLength(count + 1);
      delays.push(performance.now() - before);
      forked.at(-1)!.listen();
      if (times === 7) vi.advanceTimersByTime(10_000);
      if (times === 8) vi.advanceTimersByTime(10_001);
    }
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 100]);
    expect(log[0]).toBe(
      'error {"worker":100,"code":null,"signal":"SIGKILL","delay":100} a process ended and is restarted',
    );
    expect(log).toHaveLength(10);
  });

  it('are restarted on their own', async () => {
    await started(2);
    forked[1]!.end(1);
    vi.advanceTimersByTime(99);
    expect(forked).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(forked).toHaveLength(3);
    expect(forked[0]!.process.sent).toEqual([]);
  });

  it('are restarted if they end before the others listen', async () => {
    const start = create(2).start();
    forked[0]!.listen();
    await turn();
    forked[0]!.end(1);
    vi.advanceTimersByTime(100);
    forked[1]!.listen();
    expect([await start, forked.length]).toEqual([4000, 3]);
  });

  it('are not restarted if one has found that none can serve', async () => {
    await started(2);
    forked[1]!.end(REFUSED);
    vi.runAllTimers();
    expect([forked.length, refusals, log]).toEqual([2, 1, []]);
  });

  it('are not restarted once they are being ended, even if one is waiting for its restart', async () => {
    const workers = await started(3);
    forked[1]!.end(1);
    await workers.close();
    expect(forked.map(worker => worker.process.sent)).toEqual([['SIGTERM'], [], ['SIGTERM']]);
    vi.runAllTimers();
    expect([forked.length, log.length]).toEqual([3, 1]);
    // Workers that have already ended are not ended again.
    await workers.close();
    expect(forked[0]!.process.sent).toEqual(['SIGTERM']);
  });

  it('are warned about once if Node distributes connections differently', async () => {
    await started(2);
    const send = (worker: FakeWorker, message: object, ...rest: unknown[]) =>
      (worker.process.send as (...all: unknown[]) => boolean)(message, ...rest);
    send(forked[0]!, { act: 'newconn', seq: 1 }, {});
    send(forked[0]!, { act: 'disconnect' });
    expect(log).toEqual([]);
    for (const worker of forked) send(worker, { act: 'other' }, {});
    expect(log).toEqual([
      `warn Node ${process.version} distributes connections differently: if a process is killed, new connections are lost`,
    ]);
  });
});

describe('a reload', () => {
  it('replaces one worker after the other, each once its successor listens and it has ended', async () => {
    const workers = await started(2);
    const reload = workers.reload();
    expect(forked).toHaveLength(3);
    expect(forked[0]!.sent).toEqual([]);
    forked[2]!.listen();
    await turn();
    expect([forked.length, forked[0]!.sent, forked[1]!.sent]).toEqual([3, [REPLACED], []]);
    forked[0]!.end(0);
    await turn();
    expect(forked).toHaveLength(4);
    forked[3]!.listen();
    await turn();
    forked[1]!.end(0);
    await reload;
    expect(log).toEqual(['info {"version":"1.2.3"} reloading', 'info {"version":"1.2.3"} reloaded']);
    // A replaced worker has a successor already.
    vi.runAllTimers();
    expect(forked).toHaveLength(4);
    await workers.close();
    expect(forked.map(worker => worker.process.sent)).toEqual([[], [], ['SIGTERM'], ['SIGTERM']]);
  });

  it('is abandoned if a successor cannot serve, and the existing workers stay', async () => {
    const workers = await started(2);
    const reload = workers.reload();
    forked[2]!.end(REFUSED);
    await reload;
    expect(log).toEqual([
      'info {"version":"1.2.3"} reloading',
      'error {"version":"1.2.3","reason":"A process ended before it listened: see its log"} the reload was abandoned: the existing processes continue',
    ]);
    vi.runAllTimers();
    expect([forked.length, refusals, forked[0]!.sent, forked[1]!.sent]).toEqual([3, 0, [], []]);
    // The existing worker has its slot again.
    forked[0]!.end(1);
    vi.runAllTimers();
    expect(forked).toHaveLength(4);
    // Another reload is possible.
    void workers.reload();
    expect(log.at(-1)).toBe('info {"version":"1.2.3"} reloading');
    await workers.close();
  });

  it('that is abandoned restarts a worker that has ended in the meantime', async () => {
    const workers = await started(1);
    const reload = workers.reload();
    forked[0]!.end(1);
    vi.runAllTimers();
    expect(forked).toHaveLength(2);
    forked[1]!.end(1);
    await reload;
    vi.runAllTimers();
    expect(forked).toHaveLength(3);
    await workers.close();
  });

  it('restarts a worker that ends before its turn, also if its restart fails', async () => {
    const workers = await started(2);
    const reload = workers.reload();
    forked[1]!.end(1);
    vi.advanceTimersByTime(100);
    expect(forked).toHaveLength(4);
    forked[3]!.end(1);
    vi.advanceTimersByTime(200);
    expect(forked).toHaveLength(5);
    forked[2]!.listen();
    await turn();
    forked[0]!.end(0);
    await turn();
    // The restarted worker is replaced as well.
    expect(forked).toHaveLength(6);
    forked[5]!.listen();
    await turn();
    expect(forked[4]!.sent).toEqual([REPLACED]);
    forked[4]!.end(0);
    await reload;
    expect(log.slice(1)).toEqual([
      'error {"worker":101,"code":1,"signal":null,"delay":100} a process ended and is restarted',
      'error {"worker":103,"code":1,"signal":null,"delay":200} a process ended and is restarted',
      'info {"version":"1.2.3"} reloaded',
    ]);
  });

  it('leaves out a worker that waits for its restart, which runs the new version', async () => {
    const workers = await started(2);
    forked[0]!.end(1);
    const reload = workers.reload();
    await turn();
    forked[2]!.listen();
    await turn();
    expect(forked[1]!.sent).toEqual([REPLACED]);
    forked[1]!.end(0);
    await reload;
    vi.runAllTimers();
    expect(forked).toHaveLength(4);
  });

  it('replaces no further worker once they are being ended', async () => {
    const workers = await started(2);
    const reload = workers.reload();
    forked[2]!.listen();
    await turn();
    const close = workers.close();
    forked[0]!.end(0);
    await turn();
    expect(forked.map(worker => worker.process.sent)).toEqual([[], ['SIGTERM'], ['SIGTERM']]);
    await Promise.all([reload, close]);
  });

  it('is refused during another one and while the workers end', async () => {
    const workers = await started(1);
    const first = workers.reload();
    await workers.reload();
    expect(forked).toHaveLength(2);
    forked[1]!.listen();
    await turn();
    forked[0]!.end(0);
    await first;
    await workers.close();
    await workers.reload();
    const refused = 'warn no reload: another one is in progress';
    expect(log.filter(line => line.startsWith('warn'))).toEqual([refused, refused]);
    expect(forked).toHaveLength(2);
  });
});

describe('a connection that an ended worker has not taken', () => {
  /** The replies that Node receives on behalf of the worker. */
  function observe(worker: FakeWorker): unknown[] {
    handOnWhatIsNotTaken(asWorker(worker), () => log.push('unknown'));
    const replies: unknown[] = [];
    worker.process.on('internalMessage', message => replies.push(message));
    worker.process.on('disconnect', () => replies.push('disconnect'));
    return replies;
  }
  const give = (worker: FakeWorker, seq: number) =>
    (worker.process.send as (...all: unknown[]) => boolean)({ act: 'newconn', seq }, {});

  it('is declined while other workers listen, and accepted for its end if there are none', () => {
    const [one, two] = [new FakeWorker(1), new FakeWorker(2)];
    const [ofOne, ofTwo] = [observe(one), observe(two)];
    for (const worker of [one, two]) worker.listen();
    give(one, 7);
    give(two, 8);
    expect(one.process.sent).toEqual([{ act: 'newconn', seq: 7 }]);
    one.end(null, 'SIGKILL');
    expect(ofOne).toEqual(['disconnect', { cmd: 'NODE_CLUSTER', ack: 7, accepted: false }]);
    two.end(null, 'SIGKILL');
    expect(ofTwo).toEqual(['disconnect', { cmd: 'NODE_CLUSTER', ack: 8, accepted: true }]);
  });

  it('is sent with everything that Node sends', () => {
    const worker = new FakeWorker(1);
    const send = vi.spyOn(worker.process, 'send').mockReturnValue(false);
    observe(worker);
    const all = [{ act: 'newconn', seq: 7 }, {}, { keepOpen: true }, () => {}];
    expect((worker.process.send as (...all: unknown[]) => boolean)(...all)).toBe(false);
    expect(send.mock.calls).toEqual([all]);
  });

  it.each([
    [6, [{ cmd: 'NODE_CLUSTER', ack: 7, accepted: true }]],
    [7, []],
  ])('is the one that it has not confirmed with the number %i', (ack, handedOn) => {
    const worker = new FakeWorker(1);
    const replies = observe(worker);
    worker.listen();
    give(worker, 7);
    worker.process.emit('internalMessage', { ack });
    worker.process.emit('disconnect');
    worker.end(0);
    expect(replies).toEqual([{ ack }, 'disconnect', ...handedOn]);
  });

  it('is handed on after the messages that the worker sent before its end', async () => {
    const worker = new FakeWorker(1);
    // The channel is still open when the process has ended.
    worker.process.removeAllListeners('exit');
    const replies = observe(worker);
    worker.listen();
    give(worker, 7);
    worker.process.emit('exit', 0, null);
    worker.process.emit('internalMessage', { ack: 7 });
    worker.process.connected = false;
    await turn();
    expect(replies).toEqual([{ ack: 7 }, 'disconnect']);
  });
});
