import type { Worker } from 'node:cluster';

/** To a process whose place another one has taken. */
const REPLACED = { isReplaced: true } as const;

/** Tells a process that another one serves in its place: it may end once it has answered what it has begun. */
export function tellReplaced(worker: Worker): void {
  worker.send(REPLACED);
}

/** Calls back when this process is told so. */
export function onReplaced(callback: () => void): void {
  process.on('message', ({ isReplaced }: Partial<typeof REPLACED>) => isReplaced && callback());
}
