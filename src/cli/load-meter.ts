import type { LoadProgress } from '../feed/load.ts';

/** Milliseconds between two pictures. */
const INTERVAL = 250;

/** Shows on a terminal how far a load is: lines, rate, and what is left where that is known. Silent elsewhere. */
export class LoadMeter {
  #terminal: NodeJS.WriteStream;
  #started = performance.now();
  #next = 0;
  #isShown = false;

  constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal;
  }

  show(progress: LoadProgress): void {
    const now = performance.now();
    if (!this.#terminal.isTTY || now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#isShown = true;
    this.#terminal.write(`\r${describeProgress(progress, (now - this.#started) / 1000)}\x1b[K`);
  }

  clear(): void {
    if (this.#isShown) this.#terminal.write('\r\x1b[K');
  }
}

/** @param seconds since the start */
export function describeProgress({ lines, bytes, totalBytes }: LoadProgress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(lines / seconds) : 0;
  const left = totalBytes === undefined ? '' : `, ${megabytes(Math.max(0, totalBytes - bytes))} MB left`;
  return `${lines} lines, ${rate} a second${left}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
