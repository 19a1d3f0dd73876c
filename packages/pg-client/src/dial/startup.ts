import { ServerError } from '../driver/errors.ts';
import { messageType } from '../driver/message-type.ts';
import { MessageBuffer } from '../driver/outgoing.ts';
import type { Reader } from '../driver/server-messages.ts';
import { AuthenticationExchange, type DatabaseCredentials } from './authentication.ts';
import type { Transport } from './transport.ts';

const AUTHENTICATION = messageType('R');
const ERROR = messageType('E');
const NOTICE = messageType('N');
const READY = messageType('Z');
/** The messages ParameterStatus and BackendKeyData, which are ignored. */
const SETTING = messageType('S');
const KEY = messageType('K');

export interface StartupOptions {
  credentials: DatabaseCredentials;
  /** Parameters of the start-up message other than the user. */
  parameters: Readonly<Record<string, string>>;
  /** The transport, which is closed if the server or the client refuses the session. */
  transport: Pick<Transport, 'write' | 'lose'>;
  onReady(): void;
}

/** Starts a session: from the start-up message until the server is ready (PostgreSQL manual, 53.2.1). */
export class Startup implements Reader {
  #options: StartupOptions;
  #authentication: AuthenticationExchange;
  /** True while the server waits for a response. */
  #isAnswering = false;

  constructor(options: StartupOptions) {
    this.#options = options;
    this.#authentication = new AuthenticationExchange(options.credentials);
  }

  begin(): void {
    const { credentials, parameters, transport } = this.#options;
    const all = { user: credentials.address.user, client_encoding: 'UTF8', ...parameters };
    transport.write(new MessageBuffer().startup(all).take());
  }

  read(type: number, bytes: Buffer, at: number, end: number): void {
    const { isDone } = this.#authentication;
    if (type === ERROR) this.#options.transport.lose(new ServerError(bytes.toString('utf8', at, end)));
    else if (type === AUTHENTICATION && !isDone && !this.#isAnswering)
      this.#authenticate(bytes.subarray(at, end));
    else if (isDone && type === READY) this.#options.onReady();
    else if (type !== NOTICE && !(isDone && (type === SETTING || type === KEY)))
      throw new Error('a message that does not belong to the start of a session');
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
