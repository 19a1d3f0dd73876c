import closeWithGrace from 'close-with-grace';
import type { Logger } from '../observability/logger.ts';

export interface Lifetime {
  logger: Logger;
  /** Ends everything, in order. */
  close(): Promise<void>;
  /** Milliseconds after which the process ends although not everything has. */
  limit: number;
  /** Handles SIGHUP, where it does not end the process. */
  reload?(): void;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Some commands do something else with it; for the others it ends the process in order, too. */
const RELOADING_SIGNAL = 'SIGHUP' as const;

/**
 * Ends the process in order: with 0 when it is told to, with 1 after an uncaught error.
 * @returns what tells it to, with the reason for the log
 */
export function endInOrder({ logger, close, limit, reload }: Lifetime): (reason: object) => void {
  const skip = [...ENDING_SIGNALS, 'beforeExit' as const, ...(reload ? [RELOADING_SIGNAL] : [])];
  const grace = closeWithGrace({ delay: limit, logger: false, skip }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'ending after an unforeseen error');
    await close();
  });
  // A second one must not cut what the first began: npm hands on what the terminal has sent to all already.
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
