import { useContext } from 'preact/hooks';
import type { Address } from '../../address.ts';
import { OverviewDocument } from '../../documents/documents.generated.ts';
import { dayBefore, plural } from '../../format.ts';
import { newSince } from '../../news.ts';
import { AsRequest } from '../../parts/as-request.tsx';
import { QuotaBar } from '../../parts/quota-bar.tsx';
import { Answered, Empty } from '../../parts/states.tsx';
import { UsageTable } from '../../parts/usage-table.tsx';
import { SessionContext, useAnswer } from '../../use-answer.ts';
import { type Account, DAYS } from './data.ts';
import { Mail } from './mail.tsx';
import { Certificates, NewFindings, NewHosts, Threats } from './news.tsx';
import { Week } from './week.tsx';
import { WorthALook } from './worth-a-look.tsx';

/** What happened, is it noise, what is new, will the quota last: one request. */
export function Overview({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const from = dayBefore(DAYS - 1);
  const variables = {
    account,
    from,
    week: newSince(),
    threats: { anyThreatIntel: true },
  };
  const asked = useAnswer(OverviewDocument, variables);
  return (
    <>
      <header class="view">
        <h1>Overview</h1>
        <p>The last seven days at a glance, and what is new in them.</p>
      </header>
      <Answered asked={asked}>
        {({ account }) =>
          account ? (
            <>
              <WorthALook account={account} address={address} />
              <Week account={account} address={address} />
              <div class="panels narrow">
                <NewHosts account={account} address={address} />
                <NewFindings account={account} address={address} />
                <Threats rows={account.threats} address={address} />
                <Certificates rows={account.issuers} address={address} />
                <Mail account={account} from={from} address={address} />
                <Quota account={account} />
              </div>
              <UsageTable metrics={account.usageMetrics} />
              <AsRequest document={OverviewDocument} variables={variables} />
            </>
          ) : (
            <Empty>There is no such account.</Empty>
          )
        }
      </Answered>
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
