import type { VerdictName, VerdictSubject } from '@sightline/feed';
import type { VerdictRow } from '../sql/team-verdicts.ts';
import { toSiteKey } from '../sql/watches.ts';
import { builder, toEnumValues } from './builder.ts';
import { toInstant } from './entitlements.ts';

const ABOUT_SUBJECTS: Record<VerdictSubject, string> = {
  sender: 'A sender of mail, as `GroupBy.SENDER` names it.',
  blockedSource: 'A blocked host, or the keyword or scheme that replaces it.',
  issuer: 'An issuer of certificates, by its distinguished name.',
  script: 'A script of a site, by its address without the query.',
  insight: 'An insight, by its id.',
};

const VerdictSubjectEnum = builder.enumType('VerdictSubject', {
  description: 'The kind of subject that a team decides about.',
  subGraphs: ['graph'],
  values: toEnumValues(ABOUT_SUBJECTS),
});

const ABOUT_VERDICTS: Record<VerdictName, string> = {
  mine: 'It belongs to the team or acts on its behalf.',
  accepted: 'It does not belong to the team but is accepted.',
  forwarder: 'It forwards mail of others, for which SPF fails.',
  notMine: 'It does not belong to the team and is not accepted.',
};

const VerdictNameEnum = builder.enumType('VerdictName', {
  description: 'A decision of the team.',
  subGraphs: ['graph'],
  values: toEnumValues(ABOUT_VERDICTS),
});

export const Verdict = builder.objectRef<VerdictRow>('Verdict').implement({
  description: 'A decision of the team about a subject, from a `verdict` line of the feed.',
  subGraphs: ['graph'],
  fields: t => ({
    subjectKind: t.expose('subjectKind', {
      type: VerdictSubjectEnum,
      description: 'The kind of the subject.',
    }),
    site: t.exposeString('site', {
      nullable: true,
      description: 'The site to which the decision applies; null if it applies to all.',
    }),
    subject: t.exposeString('subject', {
      description: 'The subject. In blocked sources and scripts, `*` matches any characters.',
    }),
    verdict: t.expose('verdict', { type: VerdictNameEnum, description: 'The decision.' }),
    reason: t.exposeString('reason', { description: 'The reason for it.' }),
    owner: t.exposeString('owner', { nullable: true, description: 'Who owns the script.' }),
    hashes: t.exposeStringList('hashes', {
      complexity: { field: 1, multiplier: 5 },
      description: 'Hashes of the content of a script; empty if the decision applies to any content.',
    }),
    count: t.expose('count', {
      type: 'Counter',
      nullable: true,
      description:
        'The count of the insight at the time of the decision. The verdict ends when the count has ' +
        'doubled.',
    }),
    decidedBy: t.exposeString('decidedBy', { description: 'Who decided.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', description: 'When it was decided.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the verdict ends; null if it does not.',
    }),
  }),
});

builder.objectField('Account', 'verdicts', t =>
  t.field({
    type: [Verdict],
    subGraphs: ['graph'],
    description: 'The decisions of the team, sorted by kind, site and subject.',
    args: {
      subjectKind: t.arg({
        type: VerdictSubjectEnum,
        description: 'Only decisions about this kind of subject.',
      }),
      site: t.arg({ type: 'HostName', description: 'Only decisions for this site, or for all sites.' }),
      current: t.arg.boolean({ description: 'If true, only decisions that are still in force.' }),
    },
    resolve: async (account, { subjectKind, site, current }, { load, now }) => {
      const siteKey = site ? toSiteKey(site) : undefined;
      return (await load.verdicts(account.id)).filter(
        verdict =>
          (!subjectKind || verdict.subjectKind === subjectKind) &&
          (siteKey === undefined || verdict.siteKey === '' || verdict.siteKey === siteKey) &&
          (!current || isCurrent(verdict, now)),
      );
    },
  }),
);

/** True if a verdict has not expired. */
export const isCurrent = ({ expiresAt }: Pick<VerdictRow, 'expiresAt'>, now: Date): boolean =>
  expiresAt === null || toInstant(expiresAt) > now.getTime();
