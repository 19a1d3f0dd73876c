import { answering } from '../../answering.tsx';
import { OverviewDocument, type OverviewQuery } from '../../documents/documents.generated.ts';
import { dayBefore, plural } from '../../format.ts';
import { newSince } from '../../news.ts';
import { QuotaBar } from '../../parts/quota-bar.tsx';
import { Empty } from '../../parts/states.tsx';
import { UsageTable } from '../../parts/usage-table.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { NOISE } from '../../tables.generated.ts';
import type { Answer } from '../../use-answer.ts';
import { type Account, DAYS } from './data.ts';
import { Mail } from './mail.tsx';
import { Certificates, NewFindings, NewHosts, Threats } from './news.tsx';
import { Week } from './week.tsx';
import { WorthALook } from './worth-a-look.tsx';

interface Variables {
  account: string;
  from: string;
  week: string;
  threats: { anyThreatIntel: true };
  noise: { sourceClass: (typeof NOISE)[number][] };
}

/** The first view: volume, noise, news and quota, in one request. */
export const Overview = answering<OverviewQuery, Variables>({
  document: OverviewDocument,
  ask: (_, account) => ({
    account,
    from: dayBefore(DAYS - 1),
    week: newSince(),
    threats: { anyThreatIntel: true },
    noise: { sourceClass: [...NOISE] },
  }),
  Head: () => <ViewHead title="Overview">The last seven days at a glance, and what is new in them.</ViewHead>,
  Show,
});

function Show({ data: { account }, variables, address }: Answer<OverviewQuery, Variables>) {
  if (!account) return <Empty>There is no such account.</Empty>;
  return (
    <>
      <WorthALook account={account} address={address} />
      <Week account={account} address={address} />
      <div class="panels narrow">
        <NewHosts account={account} address={address} />
        <NewFindings account={account} address={address} />
        <Threats rows={account.threats} address={address} />
        <Certificates rows={account.issuers} address={address} />
        <Mail account={account} from={variables.from} address={address} />
        <Quota account={account} />
      </div>
      <UsageTable metrics={account.usageMetrics} />
    </>
  );
}

function Quota({ account: { quota, plan } }: { account: Account }) {
  return (
    <section class="panel" aria-label="Quota">
      <h2>Quota</h2>
      <QuotaBar used={quota.used} limit={quota.limit} />
      <p class="quiet">
        {plan.name} plan. Reports are kept for {plural(plan.dataRetentionDays, 'day')}.
      </p>
    </section>
  );
}
