import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { address, listEntries, whole } from '../setting-types.ts';

const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;

/** Settings of `sightline collect`, in addition to those of the service. */
export const COLLECT_SETTINGS = {
  COLLECT_SPOOL: z
    .string()
    .prefault('.sightline/spool')
    .describe('Folder that "sightline collect" writes reports to, for "import --watch-root".'),
  COLLECT_TOKENS: z
    .string()
    .prefault('.sightline/collect-tokens.ndjson')
    .describe('File with the tokens of reporting addresses.'),
  COLLECT_HOST: z.string().prefault('127.0.0.1').describe('Address that the collector listens on.'),
  COLLECT_PORT: whole(0, 65_535).prefault('4010').describe('Port that the collector listens on.'),
  COLLECT_ADMIN_PORT: whole(1, 65_535)
    .optional()
    .describe("Port of the collector's metrics, on COLLECT_HOST; disabled if empty."),
  COLLECT_URL: address('http', 'https')
    .optional()
    .describe('URL at which browsers reach the collector; http://COLLECT_HOST:COLLECT_PORT if empty.'),
  COLLECT_PROXIES: z
    .string()
    .prefault('127.0.0.1, ::1')
    .superRefine((text, context) => {
      const wrong = listEntries(text).find(entry => !isNetwork(entry));
      if (wrong !== undefined) context.addIssue(`must be addresses and networks: ${wrong} is neither`);
    })
    .describe('Addresses and networks of proxies whose X-Forwarded-For is trusted, separated by commas.'),
  COLLECT_CLIENT_RATE: whole(1, 1_000_000)
    .prefault('20')
    .describe('Requests of one client per second, with bursts of ten times as many.'),
  COLLECT_ACCOUNT_RATE: whole(1, 1_000_000)
    .prefault('1000')
    .describe('Reports of one account per second, with bursts of ten times as many.'),
  COLLECT_SPOOL_MAX: whole(1, 1_048_576)
    .prefault('1024')
    .describe('Maximum size of the spool in MiB, shared by all accounts; further reports are dropped.'),
  COLLECT_DAILY_MAX: whole(1, 1_048_576)
    .prefault('512')
    .describe('MiB that one account can store per day (UTC); further reports are dropped.'),
  COLLECT_FORWARD_URL: address('http', 'https')
    .optional()
    .describe('URL of another collector to which accepted reports are forwarded; none if empty.'),
  COLLECT_FORWARD_HOSTS: z
    .string()
    .prefault('')
    .superRefine((text, context) => {
      const wrong = listEntries(text).find(host => !HOST.test(host));
      if (wrong !== undefined) context.addIssue(`must be host names: ${wrong} is not one`);
    })
    .describe(
      "Hosts whose pages' reports are forwarded, including subdomains, separated by commas; all if empty.",
    ),
  COLLECT_FILTERS_URL: address('http', 'https')
    .optional()
    .describe(
      'URL of the service that is asked for filters and quotas of accounts every minute; none if empty.',
    ),
  COLLECT_FILTERS_KEYS: z
    .string()
    .optional()
    .describe('File with the keys for these requests: an account and its key on each line.'),
};

const ALL = z.object(COLLECT_SETTINGS);

export type CollectConfig = ReturnType<typeof collectConfig>;

export function collectConfig(values: z.infer<typeof ALL>) {
  const { COLLECT_FILTERS_URL: url, COLLECT_FILTERS_KEYS: keys } = values;
  return {
    spool: values.COLLECT_SPOOL,
    tokens: values.COLLECT_TOKENS,
    host: values.COLLECT_HOST,
    port: values.COLLECT_PORT,
    adminPort: values.COLLECT_ADMIN_PORT,
    publicUrl: values.COLLECT_URL?.replace(/\/+$/, ''),
    proxies: values.COLLECT_PROXIES,
    /** Per second. */
    clientRate: values.COLLECT_CLIENT_RATE,
    accountRate: values.COLLECT_ACCOUNT_RATE,
    mostSpooled: values.COLLECT_SPOOL_MAX * 1024 * 1024,
    mostDaily: values.COLLECT_DAILY_MAX * 1024 * 1024,
    forwardUrl: values.COLLECT_FORWARD_URL,
    forwardHosts: listEntries(values.COLLECT_FORWARD_HOSTS),
    filters: url !== undefined && keys !== undefined ? { url, keys } : undefined,
  };
}

/** @param text the value of COLLECT_PROXIES */
export function parseProxies(text: string): BlockList {
  const list = new BlockList();
  for (const entry of listEntries(text)) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
