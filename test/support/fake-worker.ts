import { EventEmitter } from 'node:events';

/** A process that a test controls in place of a real one. */
class FakeProcess extends EventEmitter {
  readonly sent: unknown[] = [];
  connected = true;
  exitCode: number | null = null;
  signalCode: string | null = null;
  readonly pid: number;

  constructor(pid: number) {
    super();
    this.pid = pid;
  }

  send(message: unknown): boolean {
    this.sent.push(message);
    return true;
  }

  kill(signal: string): void {
    this.sent.push(signal);
    queueMicrotask(() => this.emit('exit', 0, null));
  }
}

/** A worker of Node's cluster without a process. */
export class FakeWorker extends EventEmitter {
  readonly process: FakeProcess;
  readonly sent: unknown[] = [];

  constructor(pid: number) {
    super();
    this.process = new FakeProcess(pid);
    this.process.once('exit', (code, signal) => {
      this.process.exitCode = code;
      this.process.signalCode = signal;
      this.process.connected = false;
      this.emit('exit', code, signal);
    });
  }

  isConnected = () => this.process.connected;
  isDead = () => this.process.exitCode !== null || this.process.signalCode !== null;
  send = (message: unknown) => this.sent.push(message);
  listen = () => this.emit('listening', { port: 4000 });
  end = (code: number | null, signal: string | null = null) => this.process.emit('exit', code, signal);
}
