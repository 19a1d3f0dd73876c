import type { AuthorisationRow } from '../sql/script-authorisations.ts';
import { siteKeyOf } from '../sql/watches.ts';
import { builder } from './builder.ts';

const Authorisation = builder.objectRef<AuthorisationRow>('Authorisation').implement({
  description: 'A script that a site may load, with who answers for it.',
  subGraphs: ['graph'],
  fields: t => ({
    site: t.exposeString('site', { description: 'The site.' }),
    pattern: t.exposeString('pattern', {
      description: 'Address of the script without its query; `*` stands for any characters.',
    }),
    owner: t.exposeString('owner', { description: 'Who owns the script.' }),
    justification: t.exposeString('justification', { description: 'Why the site needs it.' }),
    approvedBy: t.exposeString('approvedBy', { description: 'Who approved it.' }),
    approvedAt: t.expose('approvedAt', { type: 'DateTime', description: 'When it was approved.' }),
    hashes: t.exposeStringList('hashes', {
      complexity: { field: 1, multiplier: 5 },
      description: 'Hashes of its content; empty where any content is authorised.',
    }),
  }),
});

builder.objectField('Account', 'authorisations', t =>
  t.field({
    type: [Authorisation],
    subGraphs: ['graph'],
    description: 'The scripts that sites may load, by site, then pattern: of all sites, or one.',
    args: { site: t.arg({ type: 'HostName', description: 'Only this site.' }) },
    resolve: async (account, { site }, { load }) => {
      const all = await load.authorisations(account.id);
      return site ? all.filter(({ siteKey }) => siteKey === siteKeyOf(site)) : all;
    },
  }),
);
