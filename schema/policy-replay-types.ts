import type {
  DirectiveSource,
  Effect,
  Example,
  Outcomes,
  ReplayResult,
  ViolationReach,
} from '@sightline/csp';
import { builder } from './builder.ts';

export interface Trial {
  isWatched: boolean;
  since: string | null;
}

export interface Replay extends ReplayResult {
  policy: string;
  newlyBlocked: Outcomes | null;
  noise: ViolationReach;
  otherCount: number;
  unused: DirectiveSource[];
  ignored: DirectiveSource[];
  trial: Trial;
}

const ExampleType = builder.objectRef<Example>('PolicyExample').implement({
  description: 'A page and the resource that was blocked on it, without queries.',
  subGraphs: ['graph'],
  fields: t => ({
    page: t.exposeString('page', { description: 'Address of the page.' }),
    blockedUri: t.exposeString('blockedUri', {
      description: 'Address of the blocked resource, or the keyword that replaces it.',
    }),
  }),
});

const DirectiveSourceType = builder.objectRef<DirectiveSource>('DirectiveSource').implement({
  description: 'A source of a directive.',
  subGraphs: ['graph'],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive.' }),
    source: t.exposeString('source', { description: 'The source, as written in the policy.' }),
  }),
});

/** Fields that all summaries of reports have. */
export const ReachType = builder.interfaceRef<ViolationReach>('ReportReach').implement({
  description: 'How widely something was reported.',
  subGraphs: ['graph'],
  fields: t => ({
    count: t.expose('count', { type: 'Counter', description: "The sum of the reports' counts." }),
    reports: t.expose('reports', { type: 'Counter', description: 'The number of reports.' }),
    pages: t.expose('pages', { type: 'Counter', description: 'The number of pages, without their queries.' }),
    days: t.expose('days', { type: 'Counter', description: 'The number of UTC days.' }),
    firstSeen: t.expose('firstSeen', {
      type: 'DateTime',
      nullable: true,
      description: 'The date of the first report; null if there is none.',
    }),
    lastSeen: t.expose('lastSeen', {
      type: 'DateTime',
      nullable: true,
      description: 'The date of the last report; null if there is none.',
    }),
  }),
});

const NoiseType = builder.objectRef<ViolationReach>('PolicyNoise').implement({
  description: 'Reports that do not depend on the policy.',
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
      description: 'The directive of the policy that applies; null if there is none.',
    }),
    blocked: t.exposeString('blocked', {
      description: 'Origin of the blocked resource, or the keyword or scheme that replaces it.',
    }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'The source of the policy that allows it, or might allow it.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason why the effect is unknown.',
    }),
    examples: t.expose('examples', {
      type: [ExampleType],
      complexity: { field: 0, multiplier: 3 },
      description: 'Up to three examples, those with the largest counts first.',
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
      description: 'The effects by directive and source, those on the most pages first.',
    }),
    otherEffects: t.expose('otherEffects', {
      type: 'Counter',
      description: 'The number of omitted effects.',
    }),
  }),
});

const TrialType = builder.objectRef<Trial>('PolicyTrial').implement({
  description: 'The time since which a policy that is at least as strict has been sent by the site.',
  subGraphs: ['graph'],
  fields: t => ({
    isWatched: t.exposeBoolean('isWatched', {
      description:
        'Whether a policy watch records the policies of the site. Without one, `since` is unknown.',
    }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description:
        'When a policy without additional sources was first reported; null if none was. Before that, ' +
        'browsers did not report what this policy would block.',
    }),
  }),
});

export const ReplayType = builder.objectRef<Replay>('PolicyReplay').implement({
  description: 'The effect that a Content Security Policy would have had, based on the reports of a site.',
  subGraphs: ['graph'],
  fields: t => ({
    policy: t.exposeString('policy', { description: 'The policy, with the added sources.' }),
    blocked: t.expose('blocked', {
      type: OutcomesType,
      description: 'The reports that it would still cause.',
    }),
    allowed: t.expose('allowed', { type: OutcomesType, description: 'The reports that it would prevent.' }),
    unknown: t.expose('unknown', { type: OutcomesType, description: 'Reports whose outcome is unknown.' }),
    newlyBlocked: t.expose('newlyBlocked', {
      type: OutcomesType,
      nullable: true,
      description: 'The reports that it would cause and `baseline` would not; null without a baseline.',
    }),
    noise: t.expose('noise', {
      type: NoiseType,
      description: 'Omitted reports: those of extensions, of the browser itself, and `impossible` ones.',
    }),
    otherCount: t.expose('otherCount', {
      type: 'Counter',
      description:
        'The count of the combinations of page, directive and address that were not examined, which are ' +
        'those beyond the most frequent 20,000.',
    }),
    unused: t.expose('unused', {
      type: [DirectiveSourceType],
      complexity: { field: 1, multiplier: 20 },
      description: 'Sources that no report of the period and no finding of a watch requires.',
    }),
    ignored: t.expose('ignored', {
      type: [DirectiveSourceType],
      complexity: { field: 1, multiplier: 20 },
      description: 'Parts of the policy that browsers ignore because they are not sources.',
    }),
    trial: t.expose('trial', { type: TrialType, description: 'When sites started to try the policy.' }),
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
