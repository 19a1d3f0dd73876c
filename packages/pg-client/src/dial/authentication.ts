import { createHash } from 'node:crypto';
import { MessageBuffer, PASSWORD } from '../driver/outgoing.ts';
import type { AuthenticationMethod, DatabaseAddress } from './address.ts';
import { channelBinding } from './channel-binding.ts';
import { type Binding, Scram } from './scram.ts';

/** Types of authentication requests (PostgreSQL manual, 53.7). */
const OK = 0;
const CLEARTEXT = 3;
const MD5 = 5;
const SASL = 10;
const SASL_CONTINUE = 11;
const SASL_FINAL = 12;

const UNSUPPORTED: Readonly<Record<number, string>> = {
  2: 'Kerberos',
  7: 'GSSAPI',
  8: 'GSSAPI',
  9: 'SSPI',
};

export interface DatabaseCredentials {
  address: Pick<DatabaseAddress, 'user' | 'methods' | 'channelBinding'>;
  password: string | undefined;
  /** The server's certificate in DER; undefined without encryption. */
  certificate: Buffer | undefined;
}

/** Responds to the server's authentication requests, and refuses methods that the address does not allow. */
export class AuthenticationExchange {
  isDone = false;
  #credentials: DatabaseCredentials;
  #method: AuthenticationMethod = 'none';
  #scram: Scram | undefined;

  constructor(credentials: DatabaseCredentials) {
    this.#credentials = credentials;
  }

  /**
   * @param body of the server's message
   * @returns the response; undefined if none is needed
   * @throws {Error} if the request cannot or must not be answered
   */
  answer(body: Buffer): Buffer | Promise<Buffer> | undefined {
    const request = body.readUInt32BE(0);
    const content = body.subarray(4);
    if (request === OK) return this.#finish();
    if (request === CLEARTEXT)
      return new MessageBuffer().message(PASSWORD, this.#password('password')).take();
    if (request === MD5) return new MessageBuffer().message(PASSWORD, this.#md5(content)).take();
    if (request === SASL) return this.#begin(content.toString().split('\0').filter(Boolean));
    if (request === SASL_CONTINUE && this.#scram)
      return this.#scram.final(content.toString()).then(text => new MessageBuffer().sasl(text).take());
    if (request === SASL_FINAL && this.#scram) return this.#scram.verify(content.toString());
    const name = UNSUPPORTED[request];
    if (name) throw new Error(`the server asks for authentication by ${name}, which is not supported`);
    throw new Error('no such authentication');
  }

  #finish(): undefined {
    const { methods, channelBinding } = this.#credentials.address;
    if (this.#scram?.isVerified === false)
      throw new Error('the server did not prove that it knows the password');
    if (!methods.has(this.#method))
      throw new Error('require_auth demands that the server asks for a password');
    if (channelBinding === 'require' && !this.#scram?.mechanism.endsWith('-PLUS'))
      throw new Error('channel_binding=require, and the server authenticates without it');
    this.isDone = true;
  }

  #begin(mechanisms: readonly string[]): Buffer {
    const password = this.#password('scram-sha-256');
    const scram = new Scram(password, this.#binding(mechanisms));
    if (!mechanisms.includes(scram.mechanism))
      throw new Error(`the server offers no supported authentication method: ${mechanisms.join(', ')}`);
    this.#scram = scram;
    return new MessageBuffer().sasl(scram.first(), scram.mechanism).take();
  }

  /**
   * Chooses the channel binding. The server is told if this client supports it, which reveals an attacker that removed
   * it from the server's offer.
   */
  #binding(mechanisms: readonly string[]): Binding {
    const { certificate, address } = this.#credentials;
    const wanted = address.channelBinding;
    const binding = certificate && wanted !== 'disable' ? channelBinding(certificate) : undefined;
    if (binding && mechanisms.includes('SCRAM-SHA-256-PLUS')) return binding;
    const reason = certificate ? 'the server does not offer it' : 'the connection is not encrypted';
    if (wanted === 'require') throw new Error(`channel_binding=require, and ${reason}`);
    return binding ? 'y' : 'n';
  }

  #md5(salt: Buffer): string {
    const hash = (text: string | Buffer) => createHash('md5').update(text).digest('hex');
    const inner = hash(this.#password('md5') + this.#credentials.address.user);
    return `md5${hash(Buffer.concat([Buffer.from(inner), salt.subarray(0, 4)]))}`;
  }

  #password(method: AuthenticationMethod): string {
    const { address, password } = this.#credentials;
    if (!address.methods.has(method))
      throw new Error(`the server asks for ${method}, and require_auth does not allow that`);
    if (address.channelBinding === 'require' && method !== 'scram-sha-256')
      throw new Error(`channel_binding=require, and the server asks for ${method}`);
    if (password === undefined)
      throw new Error(`the server asks for a password, and neither the address nor a password file has one`);
    this.#method = method;
    return password;
  }
}
