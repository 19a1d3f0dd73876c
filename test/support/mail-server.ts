import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { makeFolder } from './folder.ts';
import { freePort } from './network.ts';
import { selfSigned } from './self-signed.ts';
import { exitCode } from './sightline.ts';
import { until } from './until.ts';

export const hasMailServer = spawnSync('dovecot', ['--version']).error === undefined;

/** The server runs as an ordinary user: if the tests run as root, as the user "nobody". */
function findUser(): { name: string; group: string; uid: number; gid: number } {
  const name = userInfo().uid === 0 ? 'nobody' : userInfo().username;
  const id = (option: string) => execFileSync('id', [option, name], { encoding: 'utf8' }).trim();
  return { name, group: id('-gn'), uid: Number(id('-u')), gid: Number(id('-g')) };
}

const settings = (
  folder: string,
  ports: { imaps: number; imap: number },
  user: { name: string; group: string },
  tokenUrl?: string,
) => `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
listen = 127.0.0.1
ssl = yes
disable_plaintext_auth = no
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
default_internal_user = ${user.name}
default_internal_group = ${user.group}
default_login_user = ${user.name}
first_valid_uid = 1
auth_mechanisms = plain${tokenUrl ? ' xoauth2 oauthbearer' : ''}
mail_location = maildir:${folder}/mail/%u
${tokenUrl ? oauthSettings(folder) : ''}
passdb {
  driver = static
  args = password=correct
}
userdb {
  driver = static
  args = uid=${user.name} gid=${user.group} home=${folder}/mail/%u
}
auth_failure_delay = 0
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
  }
}
service anvil {
  chroot =
  # Without it, a failed login does not delay the next ones.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`;

const oauthSettings = (folder: string) => `
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}`;

/** Answers which user a token belongs to, as the authorization server of a mail provider does. */
class TokenServer {
  /** The valid tokens, with their users. */
  readonly users = new Map<string, string>();
  readonly #server = createServer((request, response) => {
    const token = new URLSearchParams(request.url?.split('?')[1]).get('access_token') ?? '';
    const user = this.users.get(token);
    response.writeHead(user ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(user ? { user, active: true } : { error: 'invalid_token' }));
  });

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/?access_token=`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** An IMAP server (Dovecot) with a mailbox for each user. Only on loopback. */
export class MailServer {
  readonly ports: { imaps: number; imap: number };
  /** Files with the certificate to trust, a correct password, and a wrong one. */
  readonly ca: string;
  readonly password: string;
  readonly wrongPassword: string;
  /** The valid OAuth 2.0 tokens with their users, if the server accepts tokens. */
  readonly tokens: Map<string, string>;
  #tokenServer: TokenServer | undefined;
  #folder: string;
  #process: ChildProcess;
  #user: { uid: number; gid: number };

  private constructor(
    folder: string,
    ports: { imaps: number; imap: number },
    server: ChildProcess,
    user: { uid: number; gid: number },
    tokenServer: TokenServer | undefined,
  ) {
    this.#tokenServer = tokenServer;
    this.tokens = tokenServer?.users ?? new Map();
    this.#folder = folder;
    this.ports = ports;
    this.#process = server;
    this.#user = user;
    this.ca = join(folder, 'cert.pem');
    this.password = join(folder, 'correct');
    this.wrongPassword = join(folder, 'wrong');
  }

  static async start({ acceptsTokens = false } = {}): Promise<MailServer> {
    const folder = makeFolder();
    const tokenServer = acceptsTokens ? new TokenServer() : undefined;
    const tokenUrl = await tokenServer?.listen();
    const ports = { imaps: await freePort(), imap: await freePort() };
    const user = findUser();
    for (const name of ['run', 'mail']) mkdirSync(join(folder, name));
    const { certificate, key } = selfSigned('localhost');
    const files = { 'cert.pem': certificate, 'key.pem': key, correct: 'correct\n', wrong: 'wrong\n' };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    writeFileSync(join(folder, 'dovecot.conf'), settings(folder, ports, user, tokenUrl));
    writeFileSync(join(folder, 'oauth2.conf'), `tokeninfo_url = ${tokenUrl}\nusername_attribute = user\n`);
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const { uid, gid } = user;
    const server = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], {
      uid,
      gid,
      stdio: 'ignore',
    });
    await until(() => listens(ports.imaps));
    return new MailServer(folder, ports, server, user, tokenServer);
  }

  /** Returns the folder of a user's mailbox, or of a folder in it such as `.Archive`. Creates it if it is missing. */
  #maildir(user: string, inside = ''): string {
    const path = join(this.#folder, 'mail', user, inside);
    for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(path, name), { recursive: true });
    return path;
  }

  deliver(user: string, mails: Readonly<Record<string, string | Uint8Array>>, inside = ''): void {
    const path = this.#maildir(user, inside);
    for (const [name, mail] of Object.entries(mails)) writeFileSync(join(path, 'new', name), mail);
    this.#own(user);
  }

  /** Deletes mails as another program would. */
  remove(user: string, isOne: (name: string) => boolean): void {
    const path = this.#maildir(user);
    for (const folder of ['new', 'cur'])
      for (const name of readdirSync(join(path, folder))) if (isOne(name)) rmSync(join(path, folder, name));
  }

  /** Makes the server renumber its mails, which changes UIDVALIDITY. */
  recreate(user: string): void {
    const path = this.#maildir(user);
    for (const name of readdirSync(path))
      if (name.startsWith('dovecot')) rmSync(join(path, name), { recursive: true });
    writeFileSync(
      join(path, 'dovecot-uidlist'),
      `3 V${Math.floor(Date.now() / 1000) + 1000} N1 G${'0123456789abcdef'.repeat(2)}\n`,
    );
    this.#own(user);
  }

  /** The names and flags of the mails, which an import must not change. */
  state(user: string): string[] {
    const path = this.#maildir(user);
    return ['new', 'cur']
      .flatMap(folder => readdirSync(join(path, folder)).map(name => name.replace(/:2,$/, '')))
      .sort();
  }

  log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  #own(user: string): void {
    const { uid, gid } = this.#user;
    execFileSync('chown', ['-R', `${uid}:${gid}`, join(this.#folder, 'mail', user)]);
  }

  async stop(): Promise<void> {
    this.#tokenServer?.close();
    this.#process.kill('SIGTERM');
    await exitCode(this.#process);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const listens = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });

/** A server that refuses every login with the same answer, such as `NO [LIMIT] Too many logins`. */
export class RefusingServer {
  readonly port: number;
  /** A file with the certificate to trust. */
  readonly ca: string;
  #folder: string;
  #server: Server;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
    this.port = (server.address() as AddressInfo).port;
    this.ca = join(folder, 'cert.pem');
  }

  static async start(answer: string): Promise<RefusingServer> {
    const folder = makeFolder();
    const { certificate, key } = selfSigned('localhost');
    writeFileSync(join(folder, 'cert.pem'), certificate);
    const server = createTlsServer({ cert: certificate, key }, socket => {
      socket.on('error', () => {});
      socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] ready\r\n');
      createInterface({ input: socket }).on('line', line => {
        const [tag, command = ''] = line.split(' ');
        if (/^(?:LOGIN|AUTHENTICATE)$/i.test(command)) socket.write(`${tag} ${answer}\r\n`);
        else if (/^LOGOUT$/i.test(command)) socket.end(`* BYE\r\n${tag} OK done\r\n`);
        else socket.write(`${tag} OK done\r\n`);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new RefusingServer(server, folder);
  }

  async stop(): Promise<void> {
    await new Promise(resolve => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }
}
