import type { Account } from '../../sql/account.ts';
import { builder, OWN_STATEMENT } from '../builder.ts';
import type { Context } from '../context.ts';
import { DAY } from '../entitlements.ts';
import { invalid } from '../errors.ts';
import { KINDS, type Kind, SEVERITIES, type Severity, type Sign } from '../sign.ts';
import { findSigns } from './find.ts';

const SignKind = builder.enumType('SignKind', {
  description: 'What a sign tells of, each by a rule.',
  subGraphs: ['graph'],
  values: Object.fromEntries(
    Object.entries(KINDS).map(([name, description]) => [name, { value: name, description }]),
  ) as Record<Kind, { value: Kind; description: string }>,
});

const ABOUT: Record<Severity, string> = {
  threat: 'Somebody may be attacking.',
  incident: 'Something of the own does not work, or somebody misuses its name.',
  change: 'Something is other than it was.',
  notice: 'Good to know.',
};

const SignSeverity = builder.enumType('SignSeverity', {
  description: 'How urgent a sign is.',
  subGraphs: ['graph'],
  values: Object.fromEntries(
    SEVERITIES.map(name => [name, { value: name, description: ABOUT[name] }]),
  ) as Record<Severity, { value: Severity; description: string }>,
});

const SignType = builder.objectRef<Sign>('Sign').implement({
  description: 'Something that was not so before, and that somebody should look at.',
  subGraphs: ['graph'],
  fields: t => ({
    id: t.exposeString('id', {
      description: 'The same for the same kind, subject and first day, however often it is asked for.',
    }),
    kind: t.expose('kind', { type: SignKind, description: 'What it tells of.' }),
    severity: t.expose('severity', { type: SignSeverity, description: 'How urgent it is.' }),
    title: t.exposeString('title', {
      description: 'A sentence with the subject. What reports say in it was written by strangers.',
    }),
    detail: t.exposeString('detail', { description: 'Numbers and times, and what to do next.' }),
    subject: t.exposeString('subject', {
      description:
        'What it is about, as reports name it: a host, page, directive, type, sender, domain or issuer.',
    }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'When it began.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'When it was seen last.' }),
    count: t.expose('count', {
      type: 'Counter',
      description: 'How many reports, mails or sessions there are of it.',
    }),
    usual: t.expose('usual', {
      type: 'Counter',
      description: 'How many are usual in the same time: of a quota its limit, and 0 of what is new.',
    }),
    link: t.exposeString('link', {
      description: 'The view of the page that shows it: a path with a fragment.',
    }),
    query: t.exposeString('query', {
      nullable: true,
      description: 'The request that gives its reports: a path with parameters. Null where it has none.',
    }),
  }),
});

const USUAL_PERIOD = 7 * DAY;
const LONGEST_PERIOD = 92 * DAY;

interface SignArguments {
  since?: string | null | undefined;
  until?: string | null | undefined;
}

async function signsOf(account: Account, { since, until }: SignArguments, context: Context): Promise<Sign[]> {
  const { now, database, load, keptSigns } = context;
  const end = until ? new Date(Math.min(Date.parse(until), now.getTime())) : now;
  const begin = since ? new Date(since) : new Date(end.getTime() - USUAL_PERIOD);
  if (end.getTime() - begin.getTime() > LONGEST_PERIOD)
    throw invalid('Invalid value for parameter: since. Signs are told of 92 days at most.');
  const period = [since ? begin.toISOString() : 'week', until ? end.toISOString() : minuteOf(now)];
  const name = [account.id, account.version, ...period].join(' ');
  const kept = keptSigns?.get(name);
  if (kept) return kept;
  const found = await findSigns({ account, database, now, since: begin, until: end }, load);
  keptSigns?.keep(name, found);
  return found;
}

/** Without an end, an answer is good for a minute of the same version. */
const minuteOf = (now: Date) => now.toISOString().slice(0, 16);

builder.objectField('Account', 'signs', t =>
  t.field({
    type: [SignType],
    // They look at much: where that takes too long, it is no reason to lose the rest of an answer.
    nullable: true,
    description:
      'What began in a period and was not so before, the most severe first. Of a kind the first 20 are told, and how ' +
      'many more there are. A silence and a quota are told as long as they last. Without a period: of seven days. ' +
      'Null where it took too long.',
    complexity: { field: 4 * OWN_STATEMENT, multiplier: 100 },
    args: {
      since: t.arg({
        type: 'Instant',
        description: 'Signs that began from here on, at most 92 days before `until`.',
      }),
      until: t.arg({ type: 'Instant', description: 'Signs that began before; now, where it is left out.' }),
    },
    resolve: (account, args, context) => signsOf(account, args, context),
  }),
);
