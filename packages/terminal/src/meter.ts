/** Milliseconds between two pictures. */
const INTERVAL = 250;

/** Shows on a terminal how far a load or an import is. Silent elsewhere. */
export class LoadMeter {
  #terminal: NodeJS.WriteStream;
  #started = performance.now();
  #next = 0;
  #isShown = false;

  constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal;
  }

  /** @param describe what is shown, given the seconds since the start */
  show(describe: (seconds: number) => string): void {
    const now = performance.now();
    if (!this.#terminal.isTTY || now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#isShown = true;
    this.#terminal.write(`\r${describe((now - this.#started) / 1000)}\x1b[K`);
  }

  clear(): void {
    if (this.#isShown) this.#terminal.write('\r\x1b[K');
  }
}

/** The lines and bytes that were read so far. */
export interface Progress {
  lines: number;
  bytes: number;
  totalBytes?: number | undefined;
}

/** @param seconds since the start */
export function describeProgress({ lines, bytes, totalBytes }: Progress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(lines / seconds) : 0;
  const left = totalBytes === undefined ? '' : `, ${megabytes(Math.max(0, totalBytes - bytes))} MB left`;
  return `${lines} lines, ${rate} a second${left}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
