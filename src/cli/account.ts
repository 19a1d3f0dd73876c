import { LONGEST_RETENTION } from '@sightline/feed';
import { formatInstant, isHost } from '@sightline/reports';
import { CommandFailed, parseUrl, print, printJson, say, table, wholeNumber } from '@sightline/tools';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { type AccountRecord, listAccounts, missingAccount } from '../../sql/operator/accounts.ts';
import { type LoadSummary, loadFeed } from '../feed/load.ts';
import { newKey } from './account-key.ts';
import {
  accountLines,
  asFeed,
  type NewAccount,
  OWN_RETENTION,
  planLine,
  watchLines,
} from './account-lines.ts';
import { type CommandContext, type OperatorDatabase, withOperator } from './context.ts';

interface CreateOptions {
  type: 'team' | 'personal';
  email: string[];
  retention: number;
  host: string[];
  collector?: string;
  rua?: string;
  key?: true;
  toFeed?: '-';
}

/** Creates, changes, lists, shows and deletes accounts; each is one transaction of feed lines. */
export function accountCommand(database: OperatorDatabase): Command {
  return new Command('account')
    .description('create, change, list, show and delete accounts')
    .addCommand(createCommand(database))
    .addCommand(changeCommand(database))
    .addCommand(listCommand(database))
    .addCommand(showCommand(database))
    .addCommand(deleteCommand(database));
}

function createCommand(database: OperatorDatabase): Command {
  return new Command('create')
    .description('create an account for your own use: all features, no quota')
    .argument('<name>', 'its id: letters, digits, and . _ @ - within', parseId)
    .addOption(new Option('--type <type>', 'whose it is').choices(['team', 'personal']).default('team'))
    .option(
      '--email <address>',
      'the e-mail address of its user, or those of a team, the owner first',
      several(parseEmail),
      [],
    )
    .option('--retention <days>', 'how many days to keep reports', parseRetention, OWN_RETENTION)
    .option(
      '--host <host>',
      'a site or domain of the account: it gets watches, and import --route accounts uses it',
      several(parseHost),
      [],
    )
    .option(
      '--collector <url>',
      'the address that its browsers send reports to, for its setup',
      parseCollector,
    )
    .option('--rua <address>', 'where mail servers send reports on its domains, for its setup', parseEmail)
    .option('--key', 'also create a key; it is the last line of standard output, and is shown only once')
    .addOption(
      new Option('--to-feed <file>', 'print lines of the feed instead, without a database').choices(['-']),
    )
    .addHelpText(
      'after',
      '\nExample:\n  sightline account create acme --host acme.example --rua reports@acme.example --key',
    )
    .action(async (id: string, options: CreateOptions, command: Command) => {
      const { type, email, host, retention, collector, rua } = options;
      if (type === 'personal' && email.length !== 1)
        command.error('error: a personal account needs exactly one --email');
      const account = { id, type, emails: email, retention, hosts: host, collector, rua };
      await create(database, account, options);
    });
}

async function create(database: OperatorDatabase, account: NewAccount, options: CreateOptions) {
  const now = new Date().toISOString();
  const made = options.key ? newKey(account, now) : undefined;
  const text = asFeed([...accountLines(account, now), ...(made ? [made.line] : [])]);
  if (options.toFeed !== undefined) {
    process.stdout.write(text);
    if (made) say(`Its key, which is shown only once: ${made.key}`);
    return;
  }
  await database.open();
  await withOperator(database, async sql => {
    if ((await missingAccount(sql, [account.id])) === undefined)
      throw new CommandFailed(`Account ${account.id} already exists: "sightline account show ${account.id}"`);
  });
  await loadText(database, text);
  say(`Created account ${account.id}.${made ? ' Its key is shown only once:' : ''}`);
  if (made) print(made.key);
}

function changeCommand(database: OperatorDatabase): Command {
  return new Command('change')
    .description('change how long the reports of an account are kept, and add hosts')
    .argument('<id>', 'as in the list')
    .option('--retention <days>', 'how many days to keep reports', parseRetention)
    .option('--host <host>', 'a further host, as for "account create"', several(parseHost), [])
    .addHelpText('after', '\nExample:\n  sightline account change acme --retention 900 --host shop.example')
    .action(async (id: string, options: { retention?: number; host: string[] }, command: Command) => {
      const { retention, host } = options;
      if (retention === undefined && host.length === 0)
        command.error('error: Give --retention or --host, or both.');
      await database.open();
      const { plan, hosts } = await withOperator(database, sql => requireAccount(sql, id));
      if (retention !== undefined && plan !== 'own')
        throw new CommandFailed(
          `Account ${id} has a plan from a feed: load a "plan" line with a different retention`,
        );
      const added = host.filter(site => !hosts.includes(site.toLowerCase()));
      const plans = retention === undefined ? [] : [planLine({ id, retention })];
      await loadText(database, asFeed([...plans, ...watchLines(id, added)]));
      say(`Changed account ${id}.`);
    });
}

function loadText(context: CommandContext, text: string): Promise<LoadSummary> {
  return withOperator(context, sql =>
    withOperator(context, second =>
      loadFeed(sql, new Announcer(second), [{ name: 'account', content: [text] }]),
    ),
  );
}

function listCommand(database: OperatorDatabase): Command {
  return new Command('list')
    .description('list the accounts')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  sightline account list')
    .hook('preAction', () => database.open())
    .action(({ json }: { json?: true }) =>
      withOperator(database, async sql => {
        const accounts = await listAccounts(sql);
        if (json) return printJson(accounts.map(toJson));
        const heading = ['ID', 'TYPE', 'PLAN', 'DAYS', 'KEYS', 'REPORTS', 'NEWEST', 'HOSTS'];
        print(table([heading, ...accounts.map(toRow)]));
      }),
    );
}

function showCommand(database: OperatorDatabase): Command {
  return new Command('show')
    .description('show one account')
    .argument('<id>', 'as in the list')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  sightline account show acme')
    .hook('preAction', () => database.open())
    .action((id: string, { json }: { json?: true }) =>
      withOperator(database, async sql => {
        const account = await requireAccount(sql, id);
        if (json) return printJson(toJson(account));
        print(describe(account));
      }),
    );
}

function deleteCommand(database: OperatorDatabase): Command {
  return new Command('delete')
    .description('delete an account with all that is its own: reports, counts, keys, audit trail')
    .argument('<id>', 'as in the list')
    .option('--yes', 'delete it; without this the command says what would go')
    .addHelpText('after', '\nExample:\n  sightline account delete acme --yes')
    .hook('preAction', () => database.open())
    .action(async (id: string, { yes }: { yes?: true }) => {
      const { reports, keys } = await withOperator(database, sql => requireAccount(sql, id));
      const all = `${sum(reports)} counted reports and ${keys} ${keys === 1 ? 'key' : 'keys'}`;
      if (!yes) throw new CommandFailed(`${all} would be deleted with account ${id}: add --yes to confirm`);
      await loadText(database, asFeed([{ kind: 'account', id, deleted: true }]));
      say(`Deleted account ${id}, with ${all}.`);
    });
}

async function requireAccount(sql: Parameters<typeof listAccounts>[0], id: string): Promise<AccountRecord> {
  const [account] = await listAccounts(sql, id);
  if (!account) throw new CommandFailed(`There is no account ${id}: "sightline account list" shows all`);
  return account;
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const findNewest = ({ newest }: AccountRecord) => Object.values(newest).sort().at(-1);

function toJson({ id, type, email, members, created_at, retention, ...rest }: AccountRecord) {
  const emails = email === null ? (members ?? []).map(member => member.email) : [email];
  return { id, type, emails, createdAt: formatInstant(created_at), dataRetentionDays: retention, ...rest };
}

function toRow(account: AccountRecord): string[] {
  const { id, type, plan, retention, keys, reports, hosts } = account;
  const cells = [id, type, plan, retention, keys, sum(reports), findNewest(account), hosts.join(' ') || null];
  return cells.map(cell => String(cell ?? '-'));
}

function describe(account: AccountRecord): string {
  const { id, type, emails, createdAt, dataRetentionDays, plan, hosts, keys, reports, newest } =
    toJson(account);
  const types = Object.keys(reports).sort();
  return [
    `Account ${id}, ${type}, created at ${createdAt}`,
    `  Plan       ${plan ?? 'none: the free plan, whose API is available for 30 days'}`,
    `  Retention  ${dataRetentionDays === null ? 'that of the service' : `${dataRetentionDays} days`}`,
    `  People     ${emails.join(' ') || 'none'}`,
    `  Hosts      ${hosts.join(' ') || 'none'}`,
    `  Keys       ${keys}`,
    ...(types.length === 0 ? ['  Reports    none yet'] : []),
    ...types.map(type => `  Reports    ${type} ${reports[type]}, the newest of ${newest[type]}`),
  ].join('\n');
}

function several<Value>(parse: (text: string) => Value) {
  return (text: string, before: readonly Value[]): Value[] => [...before, parse(text)];
}

function checked(text: string, isGood: boolean, sentence: string): string {
  if (!isGood) throw new InvalidArgumentError(sentence);
  return text;
}

/** Also valid as the name of a folder, since `import --watch-root` has one per account. */
const parseId = (text: string) =>
  checked(
    text,
    /^[A-Za-z0-9][\w.@-]{0,127}$/.test(text),
    'Use at most 128 letters, digits, and . _ @ - within.',
  );

const parseHost = (text: string) => checked(text, isHost(text), 'Use a host name such as acme.example.');

function parseEmail(text: string): string {
  const address = text.replace(/^mailto:/, '');
  const isGood = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255}$/.test(address);
  return checked(address, isGood, 'Use an address such as reports@acme.example.');
}

const parseRetention = wholeNumber(1, LONGEST_RETENTION);

const parseCollector = (text: string) => parseUrl(text).href.replace(/\/+$/, '');
