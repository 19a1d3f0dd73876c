import type { Worker } from 'node:cluster';

/**
 * The message to a process that has been replaced. It has no version, because workers of every release must understand
 * it.
 */
const REPLACED = { isReplaced: true } as const;

/** Notifies a process that another one replaces it: it can end after it has answered its current requests. */
export function logReplaced(worker: Worker): void {
  worker.send(REPLACED);
}

/** Registers a callback for this notification. */
export function onReplaced(callback: () => void): void {
  process.on('message', ({ isReplaced }: Partial<typeof REPLACED>) => isReplaced && callback());
}
