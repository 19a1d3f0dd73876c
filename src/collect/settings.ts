import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { address, whole } from '../setting-types.ts';

/** Settings of `sightline collect`, behind those of the service. */
export const COLLECT_SETTINGS = {
  COLLECT_SPOOL: z
    .string()
    .prefault('.sightline/spool')
    .describe('Folder that "sightline collect" writes reports to, for "import --watch-root".'),
  COLLECT_TOKENS: z
    .string()
    .prefault('.sightline/collect-tokens.ndjson')
    .describe('File of the tokens in the addresses that browsers report to.'),
  COLLECT_HOST: z.string().prefault('127.0.0.1').describe('Address that the collector listens on.'),
  COLLECT_PORT: whole(0, 65_535).prefault('4010').describe('Port that the collector listens on.'),
  COLLECT_ADMIN_PORT: whole(1, 65_535)
    .optional()
    .describe("Port of the collector's metrics, on COLLECT_HOST; there are none when empty."),
  COLLECT_URL: address('http', 'https')
    .optional()
    .describe('Address under which browsers reach it; http://COLLECT_HOST:COLLECT_PORT when empty.'),
  COLLECT_PROXIES: z
    .string()
    .prefault('127.0.0.1, ::1')
    .superRefine((text, context) => {
      const wrong = entriesOf(text).find(entry => !isNetwork(entry));
      if (wrong !== undefined) context.addIssue(`must be addresses and networks: ${wrong} is neither`);
    })
    .describe('Proxies whose X-Forwarded-For says who sends: addresses and networks, with commas.'),
  COLLECT_CLIENT_RATE: whole(1, 1_000_000)
    .prefault('20')
    .describe('Requests of one client a second; ten times as many at once.'),
  COLLECT_ACCOUNT_RATE: whole(1, 1_000_000)
    .prefault('1000')
    .describe('Reports of one account a second; ten times as many at once.'),
  COLLECT_SPOOL_MAX: whole(1, 1_048_576)
    .prefault('1024')
    .describe('MiB that may wait in the spool; reports beyond are dropped.'),
  COLLECT_FILTERS_URL: address('http', 'https')
    .optional()
    .describe("Service that is asked for the accounts' own filters each minute; none when empty."),
  COLLECT_FILTERS_KEYS: z
    .string()
    .optional()
    .describe('File of the keys to ask with: an account and its key a line.'),
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
    /** Requests and reports in a second. */
    clientRate: values.COLLECT_CLIENT_RATE,
    accountRate: values.COLLECT_ACCOUNT_RATE,
    mostSpooled: values.COLLECT_SPOOL_MAX * 1024 * 1024,
    filters: url !== undefined && keys !== undefined ? { url, keys } : undefined,
  };
}

/** @param text as COLLECT_PROXIES has it */
export function proxiesOf(text: string): BlockList {
  const list = new BlockList();
  for (const entry of entriesOf(text)) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
