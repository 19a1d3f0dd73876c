import { ConnectionLost, Rows, ServerError } from '@sightline/postgres';
import type { Connection } from '../../packages/postgres/src/client/connection.ts';
import { STATEMENT_TIMEOUT, type Trouble, type TroubleKind } from './history.ts';
import type { Fate } from './play.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Milliseconds that a session takes to begin, and an ordinary answer on its way. */
const DIALLING = 3;
const ON_THE_WAY = 0.2;

/** Attempts to connect in a second, as `packages/postgres/src/dial/attempts.ts` allows them. */
const MOST_ATTEMPTS = 20;
const ATTEMPTS_WINDOW = 1050;

/** An answer, an error of the statement's own, or nothing yet. */
interface Sent {
  fate: Fate | undefined;
  resolve: (rows: Rows) => void;
  reject: (error: Error) => void;
}

const NO_ROWS = Rows.of<object>([]);

const error = (code: string) => new ServerError(['SERROR', 'VERROR', `C${code}`, 'Msaid', ''].join('\0'));

/** A server, and the network to it, with their troubles. */
export class SimulatedServer {
  readonly connections = new Set<SimulatedConnection>();
  /** The most that there were at once. */
  most = 0;
  #clock: VirtualClock;
  #random: Random;
  #troubles: readonly Trouble[];
  #attempts: number[] = [];
  #nextAttempt = 0;

  constructor(clock: VirtualClock, random: Random, troubles: readonly Trouble[]) {
    this.#clock = clock;
    this.#random = random;
    this.#troubles = troubles;
    for (const { kind, from } of troubles) {
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

  /** The number of those that have something to do. */
  get busy(): number {
    let busy = 0;
    for (const { isBusy } of this.connections) if (isBusy) busy++;
    return busy;
  }

  trouble(kind: TroubleKind, key?: string): Trouble | undefined {
    const now = this.#clock.now();
    for (const trouble of this.#troubles) {
      if (trouble.kind !== kind || now < trouble.from || now >= trouble.to) continue;
      if (!trouble.keys || (key !== undefined && trouble.keys.has(key))) return trouble;
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
      // Three ways there and back, of which some may come when the trouble is over.
      const latency = this.trouble('latency');
      const late = latency ? Math.min(3 * latency.amount, latency.to + latency.amount - clock.now()) : 0;
      const until = this.trouble('stall')?.to;
      if (this.trouble('silence')) return;
      clock.at((until ?? clock.now()) + DIALLING + late, () => this.#answerDial(connection));
    });
  }

  #answerDial(connection: SimulatedConnection): void {
    const full = this.trouble('full');
    let begun = 0;
    for (const { hasBegun } of this.connections) if (hasBegun) begun++;
    if (this.trouble('refuse') || this.trouble('down') || this.trouble('cut')) connection.lose();
    else if (full && begun >= full.amount) connection.lose();
    else if (!this.trouble('silence')) connection.begin();
  }

  /** Does what a statement asks for. */
  begin(connection: SimulatedConnection, { fate }: Sent): void {
    const clock = this.#clock;
    const [key, takes] = [fate?.key ?? '', fate?.takes ?? 0.5];
    const begun = clock.now();
    if (fate && fate.sentAt === undefined) fate.sentAt = begun;
    const isLost = this.trouble('lostWorker', key) !== undefined;
    const computing = this.trouble('compute', key)?.amount ?? 0;
    const hang = this.trouble('hang', key);
    const needed = Math.max(takes, computing) + (hang ? hang.to - begun : 0);
    if (isLost) this.#answer(connection, 5, error('08006'));
    else if (needed >= STATEMENT_TIMEOUT) this.#answer(connection, STATEMENT_TIMEOUT, error('57014'));
    else this.#answer(connection, needed);
  }

  #answer(connection: SimulatedConnection, after: number, error?: Error): void {
    const clock = this.#clock;
    clock.at(clock.now() + after, () => {
      if (connection.isLost) return;
      if (this.trouble('silence')) return;
      if (this.trouble('cutSometimes') && this.#random.chance(0.5)) return connection.lose();
      const slow = this.trouble('slow')?.amount ?? 0;
      const late = (this.trouble('latency')?.amount ?? 0) + slow * this.#random.between(0.5, 1);
      const from = this.trouble('stall')?.to ?? clock.now();
      clock.at(from + late + ON_THE_WAY, () => {
        if (!connection.isLost) connection.answer(error);
      });
    });
  }
}

/** As `Connection` is, to those who use it. */
export class SimulatedConnection {
  readonly madeAt: number;
  usedAt: number;
  isLost = false;
  begunAt = Number.POSITIVE_INFINITY;
  #server: SimulatedServer;
  #sent: Sent[] = [];
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
    // A message into a silence never arrives, and neither does one behind it.
    if (first && !this.#server.trouble('silence')) this.#server.begin(this, first);
  }
}
