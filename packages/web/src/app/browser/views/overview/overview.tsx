import type { Address } from '../../address.ts';
import { OverviewDocument, type OverviewQuery } from '../../documents/documents.generated.ts';
import { MS_PER_DAY } from '../../durations.ts';
import { plural } from '../../format.ts';
import { BadAddress } from '../../parts/bad-address.tsx';
import { PeriodPicker } from '../../parts/period-picker.tsx';
import { QuotaBar } from '../../parts/quota-bar.tsx';
import { Empty } from '../../parts/states.tsx';
import { UsageTable } from '../../parts/usage-table.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { PAST_DAYS, periodIn, periodLabel, toSpan, wrongInPeriod } from '../../period.ts';
import { createQueryView } from '../../query-view.tsx';
import { NOISE } from '../../tables.generated.ts';
import type { QueryAnswer } from '../../use-answer.ts';
import type { OverviewAccount, OverviewVariables } from './data.ts';
import { Days } from './days.tsx';
import { Insights } from './insights.tsx';
import { Mail } from './mail.tsx';
import { Certificates, NewFindings, NewHosts, Threats } from './news.tsx';
import { Sites } from './sites.tsx';

/** The start page with volume, noise, news and quota, which are loaded with one request. */
export function Overview({ address }: { address: Address }) {
  const wrong = wrongInPeriod(address);
  return wrong.length > 0 ? <BadAddress address={address} wrong={wrong} /> : <Period address={address} />;
}

const Period = createQueryView<OverviewQuery, OverviewVariables>({
  document: OverviewDocument,
  ask: (address, account) => ({
    account,
    ...toInstants(address),
    threats: { anyThreatIntel: true },
    noise: { sourceClass: [...NOISE] },
  }),
  Head: ({ address }) => (
    <>
      <ViewHead title="Overview">What is new in the period, and what is still going on.</ViewHead>
      <div class="toolbar">
        <PeriodPicker address={address} />
      </div>
    </>
  ),
  Show,
  getName: periodLabel,
});

function toInstants(address: Address) {
  const { from, to } = toSpan(periodIn(address));
  const iso = (at: number) => new Date(at).toISOString();
  return {
    from: iso(from - PAST_DAYS * MS_PER_DAY),
    begin: iso(from),
    end: to === undefined ? null : iso(to),
  };
}

function Show({ data: { account }, variables, address }: QueryAnswer<OverviewQuery, OverviewVariables>) {
  if (!account) return <Empty>There is no such account.</Empty>;
  return (
    <>
      <Insights account={account} address={address} />
      <Days account={account} address={address} />
      <Sites address={address} />
      <div class="panels narrow">
        <NewHosts account={account} begin={variables.begin} address={address} />
        <NewFindings account={account} address={address} />
        <Threats rows={account.threats} begin={variables.begin} address={address} />
        <Certificates rows={account.issuers} begin={variables.begin} address={address} />
        <Mail account={account} variables={variables} address={address} />
        <Quota account={account} />
      </div>
      <UsageTable metrics={account.usageMetrics} />
    </>
  );
}

function Quota({ account: { quota, plan } }: { account: OverviewAccount }) {
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
