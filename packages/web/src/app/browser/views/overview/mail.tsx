import { type Address, atPath, withParams } from '../../address.ts';
import { count, plural, revealControlCharacters, share } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { Volume } from '../../parts/volume.tsx';
import { PAST_DAYS } from '../../period.ts';
import { listSenders, type OverviewAccount, type OverviewVariables, type Sender, toKey } from './data.ts';
import { MailReadiness } from './mail-readiness.tsx';

interface Props {
  account: OverviewAccount;
  variables: OverviewVariables;
  address: Address;
}

const MOST_SENDERS = 6;

/** Mail from the account's domains that passes and fails DMARC, by day and by sender. */
export function Mail({ account, variables: { from, end }, address }: Props) {
  const { mail } = account;
  const all = mail?.totalCount ?? 0;
  const aligned = (mail?.groups ?? [])
    .filter(group => toKey(group, 1) === 'true')
    .reduce((sum, group) => sum + group.count, 0);
  return (
    <section class="panel" aria-label="Mail">
      <h2>Mail {all > 0 && <span class="quiet">{share(aligned, all)} aligned with DMARC</span>}</h2>
      {!mail || all === 0 ? (
        <p class="quiet">No DMARC reports in the period or the {PAST_DAYS} days before it.</p>
      ) : (
        <>
          <Volume
            title="Messages by day, aligned or not"
            rows={mail}
            split="ALIGNED"
            period={{ from, ...(end && { to: end }) }}
          />
          <Senders senders={listSenders(account)} address={address} />
          <MailReadiness address={address} />
        </>
      )}
    </section>
  );
}

function Senders({ senders, address }: { senders: Sender[]; address: Address }) {
  if (senders.length === 0) return <p class="quiet">No messages were reported in the period.</p>;
  const largest = senders.slice(0, MOST_SENDERS);
  return (
    <>
      <Table
        label="Senders of the period"
        columns={['Sender', numbers('Messages'), numbers('Aligned'), numbers('Before')]}
      >
        {largest.map(sender => (
          <Row key={sender.name} sender={sender} address={address} />
        ))}
      </Table>
      {senders.length > largest.length && (
        <Link to={atPath(address, ['dmarc'])}>{plural(senders.length - largest.length, 'more sender')}</Link>
      )}
    </>
  );
}

function Row({ sender, address }: { sender: Sender; address: Address }) {
  const { name, now, before } = sender;
  return (
    <tr>
      <th scope="row" class="sender">
        {name === '' ? (
          'unknown'
        ) : (
          <Link to={withParams(atPath(address, ['dmarc']), { sender: name })}>
            <bdi>{revealControlCharacters(name)}</bdi>
          </Link>
        )}
      </th>
      <NumberCell of="Messages">{count(now.all)}</NumberCell>
      <td class={now.aligned < now.all / 2 ? 'number warn' : 'number'} data-label="Aligned">
        {share(now.aligned, now.all)}
      </td>
      <NumberCell of="Before">{share(before.aligned, before.all)}</NumberCell>
    </tr>
  );
}
