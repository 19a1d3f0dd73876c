import type { Address } from '../../address.ts';
import { BadAddress } from '../../parts/bad-address.tsx';
import { PeriodPicker } from '../../parts/period-picker.tsx';
import { Empty } from '../../parts/states.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { wrongInPeriod } from '../../period.ts';
import { DmarcReplay } from './dmarc.tsx';
import { MtaStsReplay } from './mta-sts.tsx';
import { Question } from './question.tsx';

/** Replays a DMARC policy against reported messages, and MTA-STS against reported sessions. */
export function MailPolicy({ address }: { address: Address }) {
  const wrong = wrongInPeriod(address);
  if (wrong.length > 0) return <BadAddress address={address} wrong={wrong} />;
  return (
    <>
      <ViewHead title="Try a mail policy">
        What a DMARC policy would have done to reported messages, and MTA-STS to sessions. Nothing is sent
        anywhere.
      </ViewHead>
      <div class="toolbar">
        <PeriodPicker address={address} />
      </div>
      <Question address={address} />
      {address.params.get('domain') ? (
        <>
          <DmarcReplay address={address} />
          <MtaStsReplay address={address} />
        </>
      ) : (
        <div aria-busy={false}>
          <Empty>Choose a domain to start.</Empty>
        </div>
      )}
    </>
  );
}
