import { ServerError } from '../driver/errors.ts';
import { messageType } from '../driver/message-type.ts';
import { Outgoing } from '../driver/outgoing.ts';
import type { Reader } from '../driver/server-messages.ts';
import { Authentication, type Credentials } from './authentication.ts';
import type { Transport } from './transport.ts';

const AUTHENTICATION = messageType('R');
const ERROR = messageType('E');
const NOTICE = messageType('N');
const READY = messageType('Z');
/** A setting of the session, and what a statement could be cancelled with. */
const SETTING = messageType('S');
const KEY = messageType('K');

export interface StartupOptions {
  credentials: Credentials;
  /** Parameters of the start-up message beside the user. */
  parameters: Readonly<Record<string, string>>;
  /** It is lost where the server, or we, refuse. */
  transport: Pick<Transport, 'write' | 'lose'>;
  onReady(): void;
}

/** The begin of a session, from the start-up message until the server is ready (PostgreSQL manual, 53.2.1). */
export class Startup implements Reader {
  #options: StartupOptions;
  #authentication: Authentication;
  /** True if the server waits for us: then it says nothing itself. */
  #isAnswering = false;

  constructor(options: StartupOptions) {
    this.#options = options;
    this.#authentication = new Authentication(options.credentials);
  }

  begin(): void {
    const { credentials, parameters, transport } = this.#options;
    const all = { user: credentials.address.user, client_encoding: 'UTF8', ...parameters };
    transport.write(new Outgoing().startup(all).take());
  }

  read(type: number, bytes: Buffer, at: number, end: number): void {
    const { isDone } = this.#authentication;
    if (type === ERROR) this.#options.transport.lose(new ServerError(bytes.toString('utf8', at, end)));
    else if (type === AUTHENTICATION && !isDone && !this.#isAnswering)
      this.#authenticate(bytes.subarray(at, end));
    else if (isDone && type === READY) this.#options.onReady();
    else if (type !== NOTICE && !(isDone && (type === SETTING || type === KEY)))
      throw new Error('a message that does not belong to the begin of a session');
  }

  flush(): void {}

  #authenticate(body: Buffer): void {
    const { transport } = this.#options;
    const send = (bytes: Buffer) => {
      this.#isAnswering = false;
      transport.write(bytes);
    };
    const refuse = (error: unknown) => transport.lose(error as Error);
    try {
      const answer = this.#authentication.answer(Buffer.from(body));
      this.#isAnswering = answer instanceof Promise;
      if (answer instanceof Promise) answer.then(send, refuse);
      else if (answer) send(answer);
    } catch (error) {
      refuse(error);
    }
  }
}
