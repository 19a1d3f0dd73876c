import { type Address, changed, elsewhere } from '../../address.ts';
import { count, revealed, share } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { Volume } from '../../parts/volume.tsx';
import { type Account, DAYS, keyOf, type Sender, sendersOf } from './data.ts';

interface Props {
  account: Account;
  from: string;
  address: Address;
}

const MOST_SENDERS = 6;

/** Mail in the account's name that passes and fails, by day and by sender. */
export function Mail({ account, from, address }: Props) {
  const { mail } = account;
  const all = mail?.totalCount ?? 0;
  const aligned = (mail?.groups ?? [])
    .filter(group => keyOf(group, 1) === 'true')
    .reduce((sum, group) => sum + group.count, 0);
  return (
    <section class="panel" aria-label="Mail">
      <h2>
        Mail {all > 0 && <span class="quiet">{share(aligned, all)} aligned with DMARC in 30 days</span>}
      </h2>
      {!mail || all === 0 ? (
        <p class="quiet">No DMARC reports in {DAYS} days.</p>
      ) : (
        <>
          <Volume title="Mail by day, aligned or not" rows={mail} split="ALIGNED" period={{ from }} />
          <Senders senders={sendersOf(account)} address={address} />
        </>
      )}
    </section>
  );
}

function Senders({ senders, address }: { senders: Sender[]; address: Address }) {
  if (senders.length === 0) return <p class="quiet">No mail was reported in seven days.</p>;
  const largest = senders.slice(0, MOST_SENDERS);
  return (
    <>
      <Table
        label="Senders of seven days"
        columns={['Sender', numbers('Mails, 7 days'), numbers('Aligned'), numbers('Before')]}
      >
        {largest.map(sender => (
          <Row key={sender.name} sender={sender} address={address} />
        ))}
      </Table>
      {senders.length > largest.length && (
        <Link to={elsewhere(address, ['dmarc'])}>{count(senders.length - largest.length)} more senders</Link>
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
          <Link to={changed(elsewhere(address, ['dmarc']), { sender: name })}>
            <bdi>{revealed(name)}</bdi>
          </Link>
        )}
      </th>
      <NumberCell of="Mails">{count(now.all)}</NumberCell>
      <td class={now.aligned < now.all / 2 ? 'number warn' : 'number'} data-label="Aligned">
        {share(now.aligned, now.all)}
      </td>
      <NumberCell of="Before">{share(before.aligned, before.all)}</NumberCell>
    </tr>
  );
}
