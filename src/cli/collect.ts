import { readFile } from 'node:fs/promises';
import type { Collector } from '@sightline/collector';
import { TokenFileError } from '@sightline/collector/tokens';
import { CommandFailed, parsePort, parseUrl, print, say } from '@sightline/tools';
import { Command, InvalidArgumentError } from 'commander';
import { type CollectConfig, parseProxies } from '../collect/settings.ts';
import { httpAddress, readConfig } from '../config.ts';
import type { Logger } from '../observability/logger.ts';
import { endInOrder } from './lifetime.ts';

interface CollectOptions {
  spool?: string;
  tokens?: string;
  host?: string;
  port?: number;
  adminPort?: number;
  forward?: URL;
  forwardHost?: string[];
}

/** Time limit for a process to end, in milliseconds: a request can take five seconds. */
export const END_LIMIT = 15_000;

/** Collects browser reports. Does not open a database. */
export function collectCommand(): Command {
  return new Command('collect')
    .enablePositionalOptions()
    .description('accept browser reports, and write them to a spool for "import --watch-root"')
    .option('--spool <folder>', 'the folder that reports are written to (COLLECT_SPOOL)')
    .option('--tokens <file>', 'the file of tokens (COLLECT_TOKENS)')
    .option('--host <address>', 'the address to listen on (COLLECT_HOST)')
    .option('--port <number>', 'the port to listen on (COLLECT_PORT)', parsePort)
    .option('--admin-port <number>', 'the port of its metrics (COLLECT_ADMIN_PORT)', parsePort)
    .option(
      '--forward <url>',
      'also forward accepted reports to this collector (COLLECT_FORWARD_URL)',
      parseUrl,
    )
    .option(
      '--forward-host <host...>',
      'forward only reports of pages on these hosts and their subdomains (COLLECT_FORWARD_HOSTS)',
    )
    .addHelpText('after', '\nIt has no database login, and cannot read stored reports.')
    .addHelpText('after', 'On SIGTERM it writes all accepted reports, and exits.')
    .addHelpText('after', '\nExample:\n  sightline collect token create --account acme --host acme.example')
    .addHelpText('after', '  sightline collect --spool /var/spool/sightline')
    .action(async ({ forward, forwardHost, ...options }: CollectOptions) => {
      const config = { ...readConfig().collect, ...options };
      await collect({
        ...config,
        forwardUrl: forward?.href ?? config.forwardUrl,
        forwardHosts: forwardHost ?? config.forwardHosts,
      });
    })
    .addCommand(new Command('token').description('make tokens').addCommand(createTokenCommand()))
    .addCommand(headersCommand());
}

async function collect(config: CollectConfig): Promise<void> {
  const [{ startCollector }, { createReportReader }, { createLogger }] = await Promise.all([
    import('@sightline/collector'),
    import('../collect/reader.ts'),
    import('../observability/logger.ts'),
  ]);
  const log = createLogger(readConfig().logLevel);
  const filters = await filtersFor(config, log);
  const collector = await startCollector({
    ...config,
    reader: createReportReader(),
    proxies: parseProxies(config.proxies),
    log,
    ...(filters && { listFilters: filters.of, findQuota: filters.getQuota, ask: filters.ask }),
    forward: forwardSettings(config),
  }).catch(explain);
  const { port, admin } = await openPorts(collector, config).catch(async error => {
    // Otherwise, its timers would keep the process alive.
    await collector.close();
    throw error;
  });
  endInOrder({
    logger: log,
    limit: END_LIMIT,
    async close() {
      await collector.close();
      admin?.close();
    },
  });
  log.info({ url: httpAddress(config.host, port), spool: config.spool }, 'collecting');
}

async function openPorts({ server, metrics }: Collector, { host, port, adminPort }: CollectConfig) {
  const [{ listen }, { startAdmin }] = await Promise.all([
    import('../http/listen.ts'),
    import('../http/admin.ts'),
  ]);
  const taken = await listen(server, { host, port, setting: 'COLLECT_PORT' });
  if (adminPort === undefined) return { port: taken, admin: undefined };
  const admin = await startAdmin({ host, port: adminPort, setting: 'COLLECT_ADMIN_PORT' }, metrics);
  return { port: taken, admin };
}

function forwardSettings({ forwardUrl: url, forwardHosts, publicUrl }: CollectConfig) {
  if (url === undefined) return undefined;
  if (/^[^/]+\/\/[^/?#]*@/.test(url))
    throw new CommandFailed('The address to forward to cannot have a user or a password');
  if (publicUrl !== undefined && url.startsWith(`${publicUrl}/`))
    throw new CommandFailed('The address to forward to is that of this collector: use another one');
  return { url, hosts: forwardHosts.map(host => host.toLowerCase()) };
}

async function filtersFor({ filters }: CollectConfig, log: Logger) {
  if (!filters) return undefined;
  const { createRemoteFilters } = await import('../collect/ask-filters.ts');
  return createRemoteFilters(filters.url, await keysIn(filters.keys), (account, problem) =>
    log.warn({ account }, `its previous filters stay in use: ${problem}`),
  );
}

/** Reads one account and key per line. */
async function keysIn(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`COLLECT_FILTERS_KEYS cannot be read: ${message}`);
  });
  const keys = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, account, key] = /^(\S+)\s+(svc_[dt]_\S+)$/.exec(line.trim()) ?? [];
    if (!account)
      throw new CommandFailed(`Line ${index + 1} of COLLECT_FILTERS_KEYS is not an account and a key`);
    keys.set(account, key!);
  }
  return keys;
}

interface TokenOptions {
  account: string;
  host?: string[];
  sample?: Record<string, number>;
  tokens?: string;
  url?: URL;
}

function createTokenCommand(): Command {
  return new Command('create')
    .description('create a token, and print the address that browsers report to')
    .requiredOption('--account <id>', 'whose reports they are')
    .option('--host <host...>', 'accept only reports of pages on these hosts and their subdomains')
    .option(
      '--sample <type=percent...>',
      'keep this part of the reports of a type, such as nel=10',
      parseSample,
    )
    .option('--tokens <file>', 'the file of tokens (COLLECT_TOKENS)')
    .option('--url <url>', 'the address of the collector for browsers (COLLECT_URL)', parseUrl)
    .addHelpText('after', '\nThe address is the last line of standard output, and is shown only once.')
    .addHelpText('after', 'A token ends when its line is removed from the file.')
    .addHelpText('after', '\nExample:\n  sightline collect token create --account acme --host acme.example')
    .action(async ({ account, host, sample, tokens, url }: TokenOptions) => {
      const config = readConfig().collect;
      const { createToken } = await import('@sightline/collector/tokens');
      const wanted = { account, ...(host && { hosts: host }), ...(sample && { sampling: sample }) };
      const token = await createToken(tokens ?? config.tokens, wanted).catch(explain);
      const base = url?.href.replace(/\/+$/, '') ?? config.publicUrl ?? httpAddress(config.host, config.port);
      say(`Created an address for account ${account}. It is shown only once:`);
      print(`${base}/r/${token}`);
    });
}

function headersCommand(): Command {
  return new Command('headers')
    .description('print the headers that make browsers report')
    .requiredOption('--account <id>', 'whose token it is')
    .requiredOption('--url <url>', 'the address that "token create" has printed', parseUrl)
    .option('--tokens <file>', 'the file of tokens (COLLECT_TOKENS)')
    .addHelpText('after', '\nExample:')
    .addHelpText('after', '  sightline collect headers --account acme --url https://reports.example/r/TOKEN')
    .action(async ({ account, url, tokens }: { account: string; url: URL; tokens?: string }) => {
      const [{ Tokens }, { reportingHeaders }] = await Promise.all([
        import('@sightline/collector/tokens'),
        import('@sightline/collector/headers'),
      ]);
      const existing = new Tokens(tokens ?? readConfig().collect.tokens);
      await existing.refresh(true).catch(explain);
      const token = existing.find(/^\/r\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? '');
      if (token?.account !== account) throw new CommandFailed(`This is not an address of account ${account}`);
      for (const { name, value, note } of reportingHeaders(url.href)) {
        say(`# ${note}`);
        print(`${name}: ${value}`);
      }
      if (token.hosts.some(host => `.${url.hostname}`.endsWith(`.${host}`)))
        say(
          '# This address is on a host that it monitors: if that host is down, no network error is reported.',
        );
    });
}

/** Shares by type, such as `nel=10`. */
function parseSample(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [, type, percent] = /^(\w+)=(\d{1,3})$/.exec(text) ?? [];
  if (type === undefined) throw new InvalidArgumentError('Use a type and a percentage, such as nel=10.');
  return { ...before, [type]: Number(percent) };
}

/** Operator errors are printed without a stack trace. */
function explain(error: Error): never {
  const isExplained = error instanceof TokenFileError || 'code' in error;
  throw isExplained ? new CommandFailed(error.message) : error;
}
