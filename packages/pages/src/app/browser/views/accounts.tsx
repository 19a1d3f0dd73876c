import { type Address, changed, goTo } from '../address.ts';
import { answering } from '../answering.tsx';
import { AccountsDocument, type AccountsQuery } from '../documents/documents.generated.ts';
import { revealed } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import type { Answer } from '../use-answer.ts';

interface Variables {
  after: string | null;
}

/** For internal tokens, which have no account of their own: they choose one. */
export const Accounts = answering<AccountsQuery, Variables>({
  document: AccountsDocument,
  ask: ({ params }) => ({ after: params.get('after') }),
  Head,
  Show,
});

function Head() {
  return (
    <>
      <ViewHead title="Accounts">This token may see every account. Choose one.</ViewHead>
      <form class="find" onSubmit={open}>
        <label>
          Id of an account <input name="account" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Open</button>
      </form>
    </>
  );
}

function Show({ data, variables, address }: Answer<AccountsQuery, Variables>) {
  const { nodes, pageInfo } = data.accounts;
  if (nodes.length === 0) return <Empty>There are no accounts yet.</Empty>;
  return (
    <>
      <ul class="list panel">
        {nodes.map(({ id, type, email, teamName, plan }) => (
          <li key={id}>
            <Link to={of(id)}>
              <bdi>{revealed(teamName ?? email ?? id)}</bdi>
            </Link>
            <span class="quiet">
              {type} account <bdi>{id}</bdi>, {plan.name} plan, {plan.status.replaceAll('_', ' ')}
            </span>
          </li>
        ))}
      </ul>
      <p class="pages">
        {variables.after && <Link to={changed(address, { after: undefined })}>First</Link>}
        {pageInfo.hasNextPage && (
          <Link to={changed(address, { after: pageInfo.endCursor ?? undefined })}>Next 100</Link>
        )}
      </p>
    </>
  );
}

function of(account: string): Address {
  return { path: [], params: new URLSearchParams({ account }) };
}

function open(event: SubmitEvent): void {
  event.preventDefault();
  goTo(of(String(new FormData(event.currentTarget as HTMLFormElement).get('account')).trim()));
}
