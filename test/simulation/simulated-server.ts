import { ConnectionLost, Rows, ServerError } from '@sightline/pg-client';
import type { Connection } from '../../packages/pg-client/src/client/connection.ts';
import { type Fault, type FaultKind, STATEMENT_TIMEOUT } from './history.ts';
import type { Fate } from './play.ts';
import type { SeededRandom } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** In milliseconds: the time to open a session, and the latency of an ordinary answer. */
const DIALLING = 3;
const ON_THE_WAY = 0.2;

/** The number of connection attempts per second that `packages/pg-client/src/dial/attempts.ts` allows. */
const MOST_ATTEMPTS = 20;
const ATTEMPTS_WINDOW = 1050;

/** A statement that was sent and has not been answered. */
interface PendingStatement {
  fate: Fate | undefined;
  resolve: (rows: Rows) => void;
  reject: (error: Error) => void;
}

const NO_ROWS = Rows.of<object>([]);

const error = (code: string) => new ServerError(['SERROR', 'VERROR', `C${code}`, 'Msaid', ''].join('\0'));

/** A server and the network to it, with faults. */
export class SimulatedServer {
  readonly connections = new Set<SimulatedConnection>();
  /** The highest number of connections so far. */
  most = 0;
  #clock: VirtualClock;
  #random: SeededRandom;
  #faults: readonly Fault[];
  #attempts: number[] = [];
  #nextAttempt = 0;

  constructor(clock: VirtualClock, random: SeededRandom, faults: readonly Fault[]) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
    for (const { kind, from } of faults) {
      if (kind !== 'refuse' && kind !== 'down' && kind !== 'cut') continue;
      clock.at(from, () => {
        for (const connection of [...this.connections]) connection.lose();
      });
    }
  }

  readonly makeConnection = (): Connection => {
    const connection = new SimulatedConnection(this, this.#clock);
    this.connections.add(connection);
    this.most = Math.max(this.most, this.connections.size);
    return connection as unknown as Connection;
  };

  /** The number of busy connections. */
  get busy(): number {
    let busy = 0;
    for (const { isBusy } of this.connections) if (isBusy) busy++;
    return busy;
  }

  fault(kind: FaultKind, key?: string): Fault | undefined {
    const now = this.#clock.now();
    for (const fault of this.#faults) {
      if (fault.kind !== kind || now < fault.from || now >= fault.to) continue;
      if (!fault.keys || (key !== undefined && fault.keys.has(key))) return fault;
    }
    return undefined;
  }

  dial(connection: SimulatedConnection): void {
    const clock = this.#clock;
    const at = Math.max(clock.now(), this.#nextAttempt);
    this.#attempts.push(at);
    if (this.#attempts.length >= MOST_ATTEMPTS) this.#nextAttempt = this.#attempts.shift()! + ATTEMPTS_WINDOW;
    clock.at(at, () => {
      if (connection.isLost) return;
      // Three round trips, some of which can end after the fault.
      const latency = this.fault('latency');
      const late = latency ? Math.min(3 * latency.amount, latency.to + latency.amount - clock.now()) : 0;
      const until = this.fault('stall')?.to;
      if (this.fault('silence')) return;
      clock.at((until ?? clock.now()) + DIALLING + late, () => this.#answerDial(connection));
    });
  }

  #answerDial(connection: SimulatedConnection): void {
    const full = this.fault('full');
    let begun = 0;
    for (const { hasBegun } of this.connections) if (hasBegun) begun++;
    if (this.fault('refuse') || this.fault('down') || this.fault('cut')) connection.lose();
    else if (full && begun >= full.amount) connection.lose();
    else if (!this.fault('silence')) connection.begin();
  }

  /** Executes a statement. */
  begin(connection: SimulatedConnection, { fate }: PendingStatement): void {
    const clock = this.#clock;
    const [key, takes] = [fate?.key ?? '', fate?.takes ?? 0.5];
    const begun = clock.now();
    if (fate && fate.sentAt === undefined) fate.sentAt = begun;
    const isLost = this.fault('lostWorker', key) !== undefined;
    const computing = this.fault('compute', key)?.amount ?? 0;
    const hang = this.fault('hang', key);
    const needed = Math.max(takes, computing) + (hang ? hang.to - begun : 0);
    if (isLost) this.#answer(connection, 5, error('08006'));
    else if (needed >= STATEMENT_TIMEOUT) this.#answer(connection, STATEMENT_TIMEOUT, error('57014'));
    else this.#answer(connection, needed);
  }

  #answer(connection: SimulatedConnection, after: number, error?: Error): void {
    const clock = this.#clock;
    clock.at(clock.now() + after, () => {
      if (connection.isLost) return;
      if (this.fault('silence')) return;
      if (this.fault('cutSometimes') && this.#random.chance(0.5)) return connection.lose();
      const slow = this.fault('slow')?.amount ?? 0;
      const late = (this.fault('latency')?.amount ?? 0) + slow * this.#random.between(0.5, 1);
      const from = this.fault('stall')?.to ?? clock.now();
      clock.at(from + late + ON_THE_WAY, () => {
        if (!connection.isLost) connection.answer(error);
      });
    });
  }
}

/** Behaves like a `Connection`. */
export class SimulatedConnection {
  readonly madeAt: number;
  usedAt: number;
  isLost = false;
  begunAt = Number.POSITIVE_INFINITY;
  #server: SimulatedServer;
  #sent: PendingStatement[] = [];
  #isDialled = false;
  #clock: VirtualClock;

  constructor(server: SimulatedServer, clock: VirtualClock) {
    this.#server = server;
    this.#clock = clock;
    this.madeAt = clock.now();
    this.usedAt = this.madeAt;
  }

  get hasBegun(): boolean {
    return this.begunAt < Number.POSITIVE_INFINITY;
  }

  get isBusy(): boolean {
    return this.#sent.length > 0;
  }

  run(_text: string, [fate]: readonly unknown[]): Promise<Rows> {
    if (this.isLost) return Promise.reject(new ConnectionLost('lost'));
    return new Promise((resolve, reject) => {
      this.#sent.push({ fate: fate as Fate | undefined, resolve, reject });
      if (!this.#isDialled) {
        this.#isDialled = true;
        this.#server.dial(this);
      } else if (this.hasBegun && this.#sent.length === 1) this.#next();
    });
  }

  begin(): void {
    if (this.isLost) return;
    this.begunAt = this.#clock.now();
    this.#next();
  }

  answer(error?: Error): void {
    const { resolve, reject } = this.#sent.shift()!;
    if (error) reject(error);
    else resolve(NO_ROWS);
    this.#next();
  }

  lose(): void {
    this.discard();
  }

  discard(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#server.connections.delete(this);
    for (const { reject } of this.#sent.splice(0)) reject(new ConnectionLost('lost'));
  }

  #next(): void {
    const [first] = this.#sent;
    // Messages sent during a silence never arrive, and neither do those after them.
    if (first && !this.#server.fault('silence')) this.#server.begin(this, first);
  }
}
