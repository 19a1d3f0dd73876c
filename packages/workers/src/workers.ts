import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { handOnWhatIsNotTaken } from './hand-over.ts';
import { tellReplaced } from './replacement.ts';

/** A worker's exit code where no other one could serve either: the database is there, and cannot be served from. */
export const REFUSED = 78;

/** Milliseconds until a process that ended is started again: twice as long each time, unless it had lived. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;
const LIFETIME = 10_000;

/** A log, as pino is one. */
interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(fields: object, text: string): void;
}

export interface WorkersOptions {
  count: number;
  /** Arguments of the processes: they run the program of this one. */
  args: readonly string[];
  /** Settings of theirs that differ from those of this process. */
  env: Readonly<Record<string, string>>;
  logger: Log;
  /** One of them found that no process can serve. */
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
  #isReloading = false;
  #hasWarned = false;

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
    cluster.setupPrimary({ args: [...this.#options.args] });
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

  /**
   * Puts another process in each one's place, one after the other: the old one is told once the new one listens.
   * Where one does not come to listen, the others stay.
   */
  async reload(): Promise<void> {
    const { logger } = this.#options;
    if (this.#isReloading || this.#isEnding) return logger.warn('no reload: one is under way already');
    this.#isReloading = true;
    logger.info('reloading');
    try {
      for (const place of this.#places) await this.#replace(place);
      logger.info('reloaded');
    } catch (error) {
      logger.error(
        { reason: (error as Error).message },
        'the reload was given up: the processes before it go on',
      );
    } finally {
      this.#isReloading = false;
    }
  }

  async #replace(place: Place): Promise<void> {
    const old = place.worker;
    // One that has just ended is being started again, and is as new.
    if (!old || this.#isEnding) return;
    const ended = once(old, 'exit');
    try {
      await this.#listening(place);
    } catch (error) {
      if (!old.isDead()) place.worker = old;
      else this.#startAgain(place);
      throw error;
    }
    if (old.isConnected()) tellReplaced(old);
    await ended;
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
    handOnWhatIsNotTaken(worker, () => this.#warnOfUnknown());
    let hasListened = false;
    worker.once('listening', () => {
      hasListened = true;
    });
    worker.once('exit', (code, signal) => {
      // A reload tells of its own workers itself; a replaced one has another's place.
      const isReloads = this.#isReloading && !hasListened;
      if (place.worker === worker && !isReloads) this.#ended(place, code, signal);
    });
    // A message to one that has just died.
    worker.on('error', () => {});
    return worker;
  }

  #warnOfUnknown(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.logger.warn(
      `Node ${process.version} hands out connections in a way of its own: a process that is killed loses new ones`,
    );
  }

  #ended(place: Place, code: number | null, signal: string | null): void {
    if (this.#isEnding || !this.#isStarted) return;
    const { logger, onRefusal } = this.#options;
    const worker = place.worker?.process.pid;
    if (code === REFUSED) {
      place.worker = undefined;
      onRefusal();
      return;
    }
    if (performance.now() - place.begun > LIFETIME) place.delay = FIRST_DELAY;
    logger.error({ worker, code, signal, delay: place.delay }, 'a process ended, and is started again');
    this.#startAgain(place);
  }

  #startAgain(place: Place): void {
    const { delay } = place;
    place.worker = undefined;
    place.delay = Math.min(LONGEST_DELAY, 2 * delay);
    setTimeout(() => this.#isEnding || this.#fork(place), delay);
  }
}

async function end({ process: child }: Worker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
