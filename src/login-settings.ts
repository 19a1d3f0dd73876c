import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { list } from './setting-types.ts';

/** The minimum length of the secret that the proxy and the service share. */
const SHORTEST_SECRET = 32;

const headerName = () =>
  z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,63}$/i, 'must be the name of a header, with letters, digits and hyphens');

/** Settings for signing in through a proxy. */
export const LOGIN_SETTINGS = {
  PAGE_LOGIN: z
    .enum(['key', 'proxy'], 'must be key or proxy')
    .prefault('key')
    .describe('How people sign in to /app: with a key, or through a proxy that identifies them.'),
  PAGE_LOGIN_PEERS: list()
    .optional()
    .describe('Addresses or networks of the trusted proxy, separated by commas.'),
  PAGE_LOGIN_SECRET: z
    .string()
    .min(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`)
    .regex(/^[\x21-\x7e]+$/, 'must be ASCII without spaces')
    .optional()
    .describe('Secret that the proxy sends in X-Sightline-Proxy-Secret; at least 32 characters.'),
  PAGE_LOGIN_USER_HEADER: headerName()
    .prefault('X-Forwarded-User')
    .describe('Header with the name of the person.'),
  PAGE_LOGIN_GROUPS_HEADER: headerName()
    .prefault('X-Forwarded-Groups')
    .describe('Header with the groups of the person, separated by commas.'),
  PAGE_LOGIN_ACCOUNTS: z
    .string()
    .optional()
    .describe('YAML or JSON file that defines which users and groups can see which accounts.'),
  PAGE_LOGIN_SIGN_OUT: z
    .string()
    .regex(/^(?:https?:\/\/[^\s/]|\/(?!\/))[^\s]*$/, 'must be a path, or begin with https://')
    .optional()
    .describe('Path or URL that "Sign out" on the page leads to, such as /oauth2/sign_out.'),
};

interface LoginValues {
  PAGE_LOGIN: 'key' | 'proxy';
  PAGE_LOGIN_PEERS?: string[] | undefined;
  PAGE_LOGIN_SECRET?: string | undefined;
  PAGE_LOGIN_USER_HEADER: string;
  PAGE_LOGIN_GROUPS_HEADER: string;
  PAGE_LOGIN_ACCOUNTS?: string | undefined;
  PAGE_LOGIN_SIGN_OUT?: string | undefined;
}

/** The settings of sign-in through a proxy. */
export interface ProxyLoginConfig {
  peers: BlockList;
  secret: string;
  /** Header names in lower case. */
  userHeader: string;
  groupsHeader: string;
  accountsFile: string;
  signOut: string | undefined;
}

/** Finds problems with the settings of `PAGE_LOGIN=proxy`. Both peers and secret are required. */
export function findLoginProblems(values: LoginValues): string[] {
  if (values.PAGE_LOGIN !== 'proxy') return [];
  const required = ['PAGE_LOGIN_PEERS', 'PAGE_LOGIN_SECRET', 'PAGE_LOGIN_ACCOUNTS'] as const;
  const missing = required.filter(name => !values[name]);
  const wrong = (values.PAGE_LOGIN_PEERS ?? []).filter(peer => !addPeer(new BlockList(), peer));
  const isOne = values.PAGE_LOGIN_USER_HEADER.toLowerCase() === values.PAGE_LOGIN_GROUPS_HEADER.toLowerCase();
  return [
    ...missing.map(name => `${name} must be set with PAGE_LOGIN=proxy`),
    ...wrong.map(
      peer => `PAGE_LOGIN_PEERS has ${peer}, which is not an address or network such as 10.0.0.0/8`,
    ),
    ...(isOne ? ['PAGE_LOGIN_GROUPS_HEADER must differ from PAGE_LOGIN_USER_HEADER'] : []),
  ];
}

/** Undefined if people sign in with keys. */
export function loginConfig(values: LoginValues): ProxyLoginConfig | undefined {
  if (values.PAGE_LOGIN !== 'proxy') return undefined;
  const peers = new BlockList();
  for (const peer of values.PAGE_LOGIN_PEERS!) addPeer(peers, peer);
  return {
    peers,
    secret: values.PAGE_LOGIN_SECRET!,
    userHeader: values.PAGE_LOGIN_USER_HEADER.toLowerCase(),
    groupsHeader: values.PAGE_LOGIN_GROUPS_HEADER.toLowerCase(),
    accountsFile: values.PAGE_LOGIN_ACCOUNTS!,
    signOut: values.PAGE_LOGIN_SIGN_OUT,
  };
}

/**
 * Returns false if the text is not an address or network. A network of all addresses is refused, since it would trust
 * anyone who knows the secret.
 */
function addPeer(peers: BlockList, peer: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(peer) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = bits === undefined ? undefined : Number(bits);
  if (prefix === undefined) peers.addAddress(address, family);
  else if (prefix > 0 && prefix <= (version === 4 ? 32 : 128)) peers.addSubnet(address, prefix, family);
  else return false;
  return true;
}
