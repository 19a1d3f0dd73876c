/** Interval between updates, in milliseconds. */
const INTERVAL = 250;

/** Shows the progress of a load or an import, if the output is a terminal. */
export class LoadMeter {
  #terminal: NodeJS.WriteStream;
  #started = performance.now();
  #next = 0;
  #isShown = false;

  constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal;
  }

  /** @param describe formats the progress for the elapsed seconds */
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

/** Shows the current step of a long command and its duration, if the output is a terminal. */
export class StepMeter {
  readonly #terminal: NodeJS.WriteStream;
  #timer: NodeJS.Timeout | undefined;
  #step = '';
  #since = 0;

  constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal;
  }

  begin(step: string): void {
    if (!this.#terminal.isTTY) return;
    this.#step = step;
    this.#since = performance.now();
    this.#timer ??= setInterval(() => this.#show(), INTERVAL).unref();
    this.#show();
  }

  /** Clears the line, which the next step writes again. */
  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#terminal.write('\r\x1b[K');
  }

  #show(): void {
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    this.#terminal.write(`\r${this.#step} … ${seconds} s\x1b[K`);
  }
}

/** The number of lines and bytes read so far. */
export interface Progress {
  lines: number;
  bytes: number;
  totalBytes?: number | undefined;
}

/**
 * Formats the progress of a load.
 * @param seconds time since the start
 */
export function describeProgress({ lines, bytes, totalBytes }: Progress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(lines / seconds) : 0;
  const left = totalBytes === undefined ? '' : `, ${megabytes(Math.max(0, totalBytes - bytes))} MB left`;
  return `${lines} lines, ${rate} a second${left}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
