import type { DirectiveSource } from '@sightline/csp';
import type { Reach } from '@sightline/csp/reach';
import type { Effect, Example, Outcomes, Replayed } from '@sightline/csp/replay';
import { builder } from './builder.ts';

export interface Trial {
  isWatched: boolean;
  since: string | null;
}

export interface Replay extends Replayed {
  policy: string;
  noise: Reach;
  otherCount: number;
  unused: DirectiveSource[];
  ignored: DirectiveSource[];
  trial: Trial;
}

const ExampleType = builder.objectRef<Example>('PolicyExample').implement({
  description: 'A page and what was blocked on it, without queries.',
  subGraphs: ['graph'],
  fields: t => ({
    page: t.exposeString('page', { description: 'Address of the page.' }),
    blockedUri: t.exposeString('blockedUri', {
      description: 'Address of the blocked resource, or what stands for it.',
    }),
  }),
});

const DirectiveSourceType = builder.objectRef<DirectiveSource>('DirectiveSource').implement({
  description: 'A source of a directive.',
  subGraphs: ['graph'],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive.' }),
    source: t.exposeString('source', { description: 'The source, as the policy writes it.' }),
  }),
});

/** The fields of everything that is summed up of reports. */
export const ReachType = builder.interfaceRef<Reach>('ReportReach').implement({
  description: 'How far reports reach.',
  subGraphs: ['graph'],
  fields: t => ({
    count: t.expose('count', { type: 'Counter', description: "The sum of the reports' counts." }),
    reports: t.expose('reports', { type: 'Counter', description: 'How many reports there are.' }),
    pages: t.expose('pages', { type: 'Counter', description: 'On how many pages, without their queries.' }),
    days: t.expose('days', { type: 'Counter', description: 'On how many days, in UTC.' }),
    firstSeen: t.expose('firstSeen', {
      type: 'DateTime',
      nullable: true,
      description: 'The date of the first report; null where there is none.',
    }),
    lastSeen: t.expose('lastSeen', {
      type: 'DateTime',
      nullable: true,
      description: 'The date of the last report; null where there is none.',
    }),
  }),
});

const NoiseType = builder.objectRef<Reach>('PolicyNoise').implement({
  description: 'Reports that tell nothing of a policy.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
});

const EffectType = builder.objectRef<Effect>('PolicyEffect').implement({
  description: 'Reports on which a policy has the same effect for the same reason.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
  fields: t => ({
    violated: t.exposeString('violated', { description: 'The directive that was violated.' }),
    directive: t.exposeString('directive', {
      nullable: true,
      description: 'The directive of the policy that decides; null where it has none.',
    }),
    blocked: t.exposeString('blocked', {
      description: 'Origin of what was blocked, or the keyword or scheme that stands for it.',
    }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'The source of the policy that allows it, or that might.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason why it cannot be told.' }),
    examples: t.expose('examples', {
      type: [ExampleType],
      complexity: { field: 0, multiplier: 3 },
      description: 'Up to three, those with the largest counts first.',
    }),
  }),
});

const OutcomesType = builder.objectRef<Outcomes>('PolicyOutcomes').implement({
  description: 'Reports on which a policy has the same effect.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
  fields: t => ({
    effects: t.expose('effects', {
      type: [EffectType],
      complexity: { field: 0, multiplier: 100 },
      description: 'By directive and source: those on most pages first.',
    }),
    otherEffects: t.expose('otherEffects', {
      type: 'Counter',
      description: 'How many effects are left out.',
    }),
  }),
});

const TrialType = builder.objectRef<Trial>('PolicyTrial').implement({
  description: 'Since when a policy that is as tight has been tried on the site.',
  subGraphs: ['graph'],
  fields: t => ({
    isWatched: t.exposeBoolean('isWatched', {
      description:
        'Whether a policy watch notes which policies the site sends. Without one this is not known.',
    }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description:
        'When a policy without further sources was first reported; null where none was. Before that, browsers had ' +
        'no reason to report what this policy would block.',
    }),
  }),
});

export const ReplayType = builder.objectRef<Replay>('PolicyReplay').implement({
  description: 'What a Content Security Policy would have done to the reports of a site.',
  subGraphs: ['graph'],
  fields: t => ({
    policy: t.exposeString('policy', { description: 'The policy, with what is added to it.' }),
    blocked: t.expose('blocked', { type: OutcomesType, description: 'What it would still block.' }),
    allowed: t.expose('allowed', { type: OutcomesType, description: 'What it would now allow.' }),
    unknown: t.expose('unknown', { type: OutcomesType, description: 'What reports do not tell.' }),
    noise: t.expose('noise', {
      type: NoiseType,
      description:
        'Reports of extensions, of the browser itself, and those that cannot be: they are left out.',
    }),
    otherCount: t.expose('otherCount', {
      type: 'Counter',
      description:
        'Counts of rare combinations that were not looked at: beyond 20,000 of page, directive and address.',
    }),
    unused: t.expose('unused', {
      type: [DirectiveSourceType],
      complexity: { field: 1, multiplier: 20 },
      description: 'Sources that no report of the period and no finding of a watch needs.',
    }),
    ignored: t.expose('ignored', {
      type: [DirectiveSourceType],
      complexity: { field: 1, multiplier: 20 },
      description: 'What browsers ignore, since it is no source.',
    }),
    trial: t.expose('trial', { type: TrialType, description: 'Since when it has been tried.' }),
  }),
});

export const AddedSource = builder.inputType('AddedSource', {
  description: 'A source that is added to a policy.',
  subGraphs: ['graph'],
  fields: t => ({
    directive: t.string({ required: true, description: 'The directive, such as `script-src`.' }),
    source: t.string({ required: true, description: 'The source, such as `https://cdn.example.com`.' }),
  }),
});
