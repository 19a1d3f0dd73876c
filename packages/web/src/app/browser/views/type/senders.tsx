import { type Address, withParams } from '../../address.ts';
import { SendersDocument, type SendersQuery } from '../../documents/documents.generated.ts';
import { toQuestion } from '../../filters.ts';
import { count, plural, revealControlCharacters, share } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { VerdictMark } from '../../parts/verdict-mark.tsx';
import type { ReportTypeView } from '../../report-types.ts';
import { useAnswer } from '../../use-answer.ts';

type Account = NonNullable<SendersQuery['account']>;

/** A sender's messages, and how many of them passed each check. */
interface Sender {
  name: string;
  messages: number;
  dkim: number;
  spf: number;
  either: number;
}

/** Maximum number of senders that are shown. */
const MOST = 15;

interface Props {
  accountId: string;
  view: ReportTypeView;
  address: Address;
}

/** The senders of DMARC reports, with the shares of messages that pass DKIM, SPF, or either. */
export function SendersPanel({ accountId, view, address }: Props) {
  const { notNoise: _, ...question } = toQuestion(address, view);
  const { answer, isCurrent } = useAnswer(SendersDocument, { account: accountId, ...question }, address);
  const account = isCurrent ? answer?.data.account : undefined;
  if (!account?.senders) return null;
  const senders = listSenders(account.senders.groups);
  const others = senders.length - MOST;
  return (
    <section class="panel wide" aria-label="DKIM and SPF by sender">
      <h2>
        DKIM and SPF by sender <span class="quiet">with alignment, as receivers evaluated them</span>
      </h2>
      <Table
        label="DKIM and SPF by sender, data table"
        columns={['Sender', ...['Messages', 'DKIM', 'SPF', 'Either'].map(name => numbers(name))]}
      >
        {senders.slice(0, MOST).map(sender => (
          <Row key={sender.name} sender={sender} account={account} address={address} />
        ))}
      </Table>
      {others > 0 && <p class="quiet">{plural(others, 'more sender')} with fewer messages.</p>}
      {account.senders.otherGroups > 0 && <p class="quiet">The smallest senders are not counted.</p>}
    </section>
  );
}

function Row({ sender, account, address }: { sender: Sender; account: Account; address: Address }) {
  const { name, messages } = sender;
  const verdict = account.verdicts.find(({ subject }) => subject.toLowerCase() === name.toLowerCase());
  const passed = (number: number) => share(number, messages);
  return (
    <tr>
      <th scope="row" class="sender">
        {name === '' ? (
          'unknown'
        ) : (
          <Link to={withParams(address, { sender: name })}>
            <bdi>{revealControlCharacters(name)}</bdi>
          </Link>
        )}{' '}
        {verdict && <VerdictMark verdict={verdict} />}
      </th>
      <NumberCell of="Messages">{count(messages)}</NumberCell>
      <NumberCell of="DKIM" title={`${count(sender.dkim)} messages pass`}>
        {passed(sender.dkim)}
      </NumberCell>
      <NumberCell of="SPF" title={`${count(sender.spf)} messages pass`}>
        {passed(sender.spf)}
      </NumberCell>
      <NumberCell of="Either" title={`${count(sender.either)} messages pass DMARC`}>
        {passed(sender.either)}
      </NumberCell>
    </tr>
  );
}

/** Adds up groups by sender, DKIM and SPF. */
function listSenders(groups: NonNullable<Account['senders']>['groups']): Sender[] {
  const senders = new Map<string, Sender>();
  for (const { keys, count } of groups) {
    const [name = '', dkim, spf] = keys.map(({ value }) => value);
    const sender = senders.get(name) ?? { name, messages: 0, dkim: 0, spf: 0, either: 0 };
    sender.messages += count;
    if (dkim === 'pass') sender.dkim += count;
    if (spf === 'pass') sender.spf += count;
    if (dkim === 'pass' || spf === 'pass') sender.either += count;
    senders.set(name, sender);
  }
  return [...senders.values()].sort((one, other) => other.messages - one.messages);
}
