import closeWithGrace from 'close-with-grace';
import type { Logger } from '../observability/logger.ts';

export interface Lifetime {
  logger: Logger;
  /** Ends everything, in order. */
  close(): Promise<void>;
  /** Milliseconds after which the process ends although not everything has. */
  limit: number;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends the process in order: with 0 when it is told to, with 1 after an error that nobody caught. */
export function endInOrder({ logger, close, limit }: Lifetime): void {
  const skip = [...ENDING_SIGNALS, 'beforeExit' as const];
  const grace = closeWithGrace({ delay: limit, logger: false, skip }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'ending after an unforeseen error');
    await close();
  });
  // A second one must not cut what the first began: npm hands on what the terminal has sent to all already.
  let isEnding = false;
  for (const name of ENDING_SIGNALS) {
    process.on(name, () => {
      if (isEnding) return;
      isEnding = true;
      logger.info({ signal: name }, 'ending');
      grace.close();
    });
  }
}
