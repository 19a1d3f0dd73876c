import { type Address, atPath, withParams } from '../../address.ts';
import { count, plural, revealControlCharacters } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { VerdictMark } from '../../parts/verdict-mark.tsx';
import { PERIOD_PARAMS } from '../../period.ts';
import type { DmarcReplayResult } from './scope.ts';

type Sender = DmarcReplayResult['senders'][number];
type Reason = Sender['reasons'][number];

/** Tables of the policy's effect on each sender's messages. Senders to repair come first. */
export function Senders({ replay, address }: { replay: DmarcReplayResult; address: Address }) {
  const { senders, otherSenders } = replay;
  const lossy = senders.filter(({ needsRepair }) => needsRepair);
  const others = senders.filter(({ needsRepair }) => !needsRepair);
  return (
    <section class="panel wide" aria-label="Senders">
      <h2>Senders</h2>
      {lossy.length > 0 && (
        <>
          <h3>Your senders that would lose mail</h3>
          <SenderTable label="Senders to repair" senders={lossy} address={address} />
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{lossy.length > 0 ? 'Other senders' : 'None of your senders would lose mail'}</h3>
          <SenderTable label="Other senders" senders={others} address={address} />
        </>
      )}
      {otherSenders > 0 && <p class="quiet">{plural(otherSenders, 'more sender')} with fewer messages.</p>}
    </section>
  );
}

interface SenderTableProps {
  label: string;
  senders: readonly Sender[];
  address: Address;
}

function SenderTable({ label, senders, address }: SenderTableProps) {
  const columns = ['Messages', 'Delivered', 'Quarantined', 'Rejected'].map(name => numbers(name));
  return (
    <Table label={label} columns={['Sender', ...columns, 'Why messages fail']}>
      {senders.map(sender => (
        <Row key={sender.sender} sender={sender} address={address} />
      ))}
    </Table>
  );
}

const KINDS: Record<Sender['kind'], string> = {
  mine: 'Yours: it sends aligned messages',
  forwarder: 'A forwarder, judging by how its messages pass',
  other: 'Not known to be yours',
};

function Row({ sender: one, address }: { sender: Sender; address: Address }) {
  const { sender, kind, verdict, reasons, overridden } = one;
  const lost = (number: number) =>
    one.needsRepair && number > 0 ? <strong>{count(number)}</strong> : count(number);
  return (
    <tr>
      <th scope="row" class="sender wide-cell">
        {sender === '' ? (
          'unknown'
        ) : (
          <Link to={withParams(atPath(address, ['dmarc'], PERIOD_PARAMS), { sender })}>
            <bdi>{revealControlCharacters(sender)}</bdi>
          </Link>
        )}{' '}
        {verdict ? <VerdictMark verdict={verdict} /> : <span class="quiet">{KINDS[kind]}</span>}
      </th>
      <NumberCell of="Messages">{count(one.messages)}</NumberCell>
      <NumberCell of="Delivered">{count(one.delivered)}</NumberCell>
      <NumberCell of="Quarantined">{lost(one.quarantined)}</NumberCell>
      <NumberCell of="Rejected">{lost(one.rejected)}</NumberCell>
      <td data-label="Why messages fail" class="wide-cell">
        <ul class="reasons">
          {reasons.map(reason => (
            <li key={reason.cause}>
              {count(reason.messages)}: {describeReason(reason)}
            </li>
          ))}
          {overridden > 0 && <li>{count(overridden)}: the receiver named a reason to deliver them.</li>}
        </ul>
      </td>
    </tr>
  );
}

/** Explains each cause of a failure and its repair. */
const REASONS: Record<Reason['cause'], (domain: string) => string> = {
  noDkim: () => 'no DKIM signature. Turn on DKIM at the sender.',
  dkimFails: of =>
    `no DKIM signature${of} passes. Publish the key, or look for servers that change messages.`,
  dkimUnaligned: of => `the DKIM signature is${of || ' of another domain'}. Have the sender sign with yours.`,
  spfFails: of => `SPF${of} does not list the server. Add it, or rely on DKIM.`,
  returnPathUnaligned: of =>
    `the return path is${of || ' of another domain'}. Set one below your domain, or rely on DKIM.`,
  forwarded: () => 'the messages were forwarded. DKIM survives that, SPF does not.',
};

const describeReason = ({ cause, domain }: Reason) =>
  REASONS[cause](domain ? ` of ${revealControlCharacters(domain)}` : '');
