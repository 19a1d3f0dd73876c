import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../observability/logger.ts';
import { handOnWhatIsNotTaken } from './hand-over.ts';

/** A worker's exit code where no other one could serve either: the database is there, and cannot be served from. */
export const REFUSED = 78;

/** Milliseconds until a process that ended is started again: twice as long each time, unless it had lived. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;
const LIFETIME = 10_000;

export interface WorkersOptions {
  count: number;
  /** Settings of theirs that differ from those of this process. */
  env: Readonly<Record<string, string>>;
  logger: Logger;
  /** One of them found that nobody can serve. */
  onRefusal(): void;
}

/** A place for a process, which another one takes when it ends. */
interface Place {
  worker: Worker | undefined;
  begun: number;
  delay: number;
}

/** A process ended before it listened. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}

/** Processes that serve on one port, with the flags of Node that this one has. They end with it, however it ends. */
export class Workers {
  #options: WorkersOptions;
  #places: Place[];
  #isStarted = false;
  #isEnding = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, () => ({
      worker: undefined,
      begun: 0,
      delay: FIRST_DELAY,
    }));
  }

  /** Answers with the port, once all of them listen. @throws {WorkerFailed} when one ends before */
  async start(): Promise<number> {
    cluster.setupPrimary({ args: ['serve'] });
    try {
      const ports = await Promise.all(this.#places.map(place => this.#listening(place)));
      this.#isStarted = true;
      return ports[0]!;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Ends them in order. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#places.map(({ worker }) => worker && end(worker)));
  }

  async #listening(place: Place): Promise<number> {
    const worker = this.#fork(place);
    const address: Promise<number> = once(worker, 'listening').then(([{ port }]) => port);
    const failed = once(worker, 'exit').then(() => {
      throw new WorkerFailed('A process ended before it listened: its log says why');
    });
    return Promise.race([address, failed]);
  }

  #fork(place: Place): Worker {
    const worker = cluster.fork(this.#options.env);
    place.worker = worker;
    place.begun = performance.now();
    handOnWhatIsNotTaken(worker);
    worker.once('exit', (code, signal) => this.#ended(place, code, signal));
    // A message to one that has just died.
    worker.on('error', () => {});
    return worker;
  }

  #ended(place: Place, code: number | null, signal: string | null): void {
    if (this.#isEnding || !this.#isStarted) return;
    const { logger, onRefusal } = this.#options;
    const pid = place.worker?.process.pid;
    place.worker = undefined;
    if (code === REFUSED) {
      onRefusal();
      return;
    }
    if (performance.now() - place.begun > LIFETIME) place.delay = FIRST_DELAY;
    const { delay } = place;
    place.delay = Math.min(LONGEST_DELAY, 2 * delay);
    logger.error({ worker: pid, code, signal, delay }, 'a process ended, and is started again');
    setTimeout(() => this.#isEnding || this.#fork(place), delay);
  }
}

async function end({ process: child }: Worker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
