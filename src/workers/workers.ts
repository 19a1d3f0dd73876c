import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { handOnWhatIsNotTaken } from './hand-over.ts';
import { VERSION_OF_PARENT } from './messages.ts';
import { logReplaced } from './replacement.ts';

/** A worker's exit code if other workers would fail as well, because the database is reachable but unusable. */
export const REFUSED = 78;

/** The delay before a worker is restarted, in milliseconds. It doubles each time, unless the worker ran for a while. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;
const LIFETIME = 10_000;

/** A logger with pino's interface. */
interface Log {
  info(fields: object, text: string): void;
  warn(text: string): void;
  error(fields: object, text: string): void;
}

export interface WorkersOptions {
  count: number;
  /** Arguments of the workers, which run the same program. */
  args: readonly string[];
  /** Settings of the workers that differ from those of this process. */
  env: Readonly<Record<string, string>>;
  logger: Log;
  /** The installed version of the program, which a reload starts. */
  version(): string;
  /** Called when a worker finds that no worker can serve. */
  onRefusal(): void;
}

/** A slot for a process. When the process ends, it is replaced. */
interface WorkerSlot {
  worker: Worker | undefined;
  begun: number;
  delay: number;
}

/** A process ended before it listened. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}

/**
 * Worker processes that serve on one port, with the same Node flags as this process. They end when this process ends.
 */
export class Workers {
  #options: WorkersOptions;
  #places: WorkerSlot[];
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

  /**
   * Resolves with the port once all workers listen.
   * @throws {WorkerFailed} if one ends earlier
   */
  async start(): Promise<number> {
    cluster.setupPrimary({ args: [...this.#options.args] });
    try {
      const [port] = await Promise.all(this.#places.map(place => this.#listening(place)));
      return port!;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Shuts all workers down in order. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#places.map(({ worker }) => worker && end(worker)));
  }

  /**
   * Replaces the workers one at a time: each is notified once its successor listens. If a successor fails to listen,
   * the remaining processes stay.
   */
  async reload(): Promise<void> {
    const { logger, version } = this.#options;
    if (this.#isReloading || this.#isEnding) return logger.warn('no reload: another one is in progress');
    this.#isReloading = true;
    const fields = { version: version() };
    logger.info(fields, 'reloading');
    try {
      for (const place of this.#places) await this.#replace(place);
      logger.info(fields, 'reloaded');
    } catch (error) {
      logger.error(
        { ...fields, reason: (error as Error).message },
        'the reload was abandoned: the existing processes continue',
      );
    } finally {
      this.#isReloading = false;
    }
  }

  async #replace(place: WorkerSlot): Promise<void> {
    const old = place.worker;
    // A worker that is just being restarted already runs the new version.
    if (!old || this.#isEnding) return;
    const ended = once(old, 'exit');
    try {
      await this.#listening(place);
    } catch (error) {
      if (!old.isDead()) place.worker = old;
      else this.#startAgain(place);
      throw error;
    }
    if (old.isConnected()) logReplaced(old);
    await ended;
  }

  async #listening(place: WorkerSlot): Promise<number> {
    const worker = this.#fork(place, true);
    const address: Promise<number> = once(worker, 'listening').then(([{ port }]) => port);
    const failed = once(worker, 'exit').then(() => {
      throw new WorkerFailed('A process ended before it listened: see its log');
    });
    return Promise.race([address, failed]);
  }

  /** @param isAwaited true if the caller reports an end before it listens */
  #fork(place: WorkerSlot, isAwaited = false): Worker {
    const worker = cluster.fork({ ...this.#options.env, ...VERSION_OF_PARENT });
    place.worker = worker;
    place.begun = performance.now();
    handOnWhatIsNotTaken(worker, () => this.#warnOfUnknown());
    let hasListened = false;
    worker.once('listening', () => {
      hasListened = true;
    });
    worker.once('exit', (code, signal) => {
      // A replaced worker has a successor.
      if (place.worker === worker && (hasListened || !isAwaited)) this.#ended(place, code, signal);
    });
    // The worker can have ended before it received the message.
    worker.on('error', () => {});
    return worker;
  }

  #warnOfUnknown(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.logger.warn(
      `Node ${process.version} distributes connections differently: if a process is killed, new connections are lost`,
    );
  }

  #ended(place: WorkerSlot, code: number | null, signal: string | null): void {
    if (this.#isEnding) return;
    const { logger, onRefusal } = this.#options;
    const worker = place.worker?.process.pid;
    if (code === REFUSED) {
      place.worker = undefined;
      onRefusal();
      return;
    }
    if (performance.now() - place.begun > LIFETIME) place.delay = FIRST_DELAY;
    logger.error({ worker, code, signal, delay: place.delay }, 'a process ended and is restarted');
    this.#startAgain(place);
  }

  #startAgain(place: WorkerSlot): void {
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
