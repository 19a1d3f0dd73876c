import { MS_PER_DAY } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { type CertificateRow, certificate } from '../sql/certificates.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { retentionStart } from './entitlements.ts';
import { notFound } from './errors.ts';
import { restRoute } from './rest-route.ts';

const Certificate = builder.objectRef<CertificateRow>('Certificate').implement({
  description: "A certificate from the account's Certificate Transparency reports.",
  fields: t => ({ pem: t.exposeString('pem', { description: 'The certificate in PEM (RFC 7468).' }) }),
});

const args = { description: 'SHA-256 of the DER, in hexadecimal.', required: true, type: 'Sha256' } as const;

/** A certificate is visible as long as a visible report names it. */
function visibleCertificate(account: Account, sha256: string, { database, now }: Context) {
  const period = { from: retentionStart(account, now), until: new Date(now.getTime() + 2 * MS_PER_DAY) };
  return certificate(database, account.id, sha256, period);
}

builder.queryField('certificate', t =>
  t.field({
    type: Certificate,
    description: "A certificate that was observed in the account's Certificate Transparency reports.",
    args: { sha256: t.arg(args) },
    ...restRoute({
      path: '/certificate-transparency/cert/:sha256',
      tag: 'Certificate Transparency',
      summary: 'One observed certificate',
      example: { sha256: '38ad3a65b0c45946709643387ee0a013e3eb9b94707473fdf6368b121471e26b' },
      errors: { 404: ['Certificate not found'] },
    }),
    resolve: async (_root, { sha256 }, context) => {
      const found = await visibleCertificate(ownAccount(context), sha256, context);
      if (!found) throw notFound('Certificate not found');
      return found;
    },
  }),
);

builder.objectField('Account', 'certificate', t =>
  t.field({
    type: Certificate,
    nullable: true,
    complexity: OWN_STATEMENT,
    description: "A certificate from the account's Certificate Transparency reports, or null.",
    args: { sha256: t.arg(args) },
    resolve: async (account, { sha256 }, context) =>
      (await visibleCertificate(account, sha256, context)) ?? null,
  }),
);
