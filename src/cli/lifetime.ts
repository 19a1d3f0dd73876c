import closeWithGrace from 'close-with-grace';
import type { Logger } from '../observability/logger.ts';

export interface Lifetime {
  logger: Logger;
  /** Shuts everything down, in order. */
  close(): Promise<void>;
  /** The process exits at the latest after this time, in milliseconds. */
  limit: number;
  /** Handles SIGHUP. Without a handler, SIGHUP shuts the process down. */
  reload?(): void;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Some commands reload on this signal. Others shut down. */
const RELOADING_SIGNAL = 'SIGHUP' as const;

/**
 * Shuts the process down in order: with exit code 0 on request, and 1 after an uncaught error.
 * @returns a function that requests the shutdown, with a reason for the log
 */
export function endInOrder({ logger, close, limit, reload }: Lifetime): (reason: object) => void {
  const skip = [...ENDING_SIGNALS, 'beforeExit' as const, ...(reload ? [RELOADING_SIGNAL] : [])];
  const grace = closeWithGrace({ delay: limit, logger: false, skip }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'exiting after an unexpected error');
    await close();
  });
  // A second signal must not interrupt the shutdown: npm forwards signals that the terminal has already sent to all
  // processes.
  let isEnding = false;
  const end = (reason: object) => {
    if (isEnding) return;
    isEnding = true;
    logger.info(reason, 'ending');
    grace.close();
  };
  for (const name of ENDING_SIGNALS) process.on(name, () => end({ signal: name }));
  if (reload) process.on(RELOADING_SIGNAL, () => isEnding || reload());
  return end;
}
