import { normalizeHost } from '@sightline/reports/addresses';
import { instant, list, optional, shortText, text } from './checks.ts';
import { define } from './record-definition.ts';
import { ofAccount } from './record-keys.ts';
import { site } from './watch-records.ts';

export const authorisation = define({
  kind: 'authorisation',
  table: 'authorisation',
  key: ['accountId', 'site', 'pattern'],
  keyColumns: ['account_id', 'site_key', 'pattern'],
  fields: {
    ...ofAccount,
    site,
    pattern: shortText,
    owner: text,
    justification: text,
    approvedBy: text,
    approvedAt: instant,
    hashes: optional(list(shortText), []),
  },
  columns: {
    account_id: 'accountId',
    site_key: values => normalizeHost(values.site),
    pattern: 'pattern',
    site: 'site',
    owner: 'owner',
    justification: 'justification',
    approved_by: 'approvedBy',
    approved_at: 'approvedAt',
    hashes: 'hashes',
  },
});
