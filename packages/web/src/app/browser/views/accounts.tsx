import { type Address, goTo, withParams } from '../address.ts';
import { AccountsDocument, type AccountsQuery } from '../documents/documents.generated.ts';
import { revealControlCharacters } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import type { QueryAnswer } from '../use-answer.ts';

interface Variables {
  after: string | null;
}

/** The selection of an account, for internal tokens, which belong to no account. */
export const Accounts = createQueryView<AccountsQuery, Variables>({
  document: AccountsDocument,
  ask: ({ params }) => ({ after: params.get('after') }),
  Head,
  Show,
});

function Head() {
  return (
    <>
      <ViewHead title="Accounts">This token has access to every account. Choose one.</ViewHead>
      <form class="find" onSubmit={open}>
        <label>
          Account id <input name="account" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Open</button>
      </form>
    </>
  );
}

function Show({ data, variables, address }: QueryAnswer<AccountsQuery, Variables>) {
  const { nodes, pageInfo } = data.accounts;
  if (nodes.length === 0) return <Empty>There are no accounts yet.</Empty>;
  return (
    <>
      <ul class="list panel">
        {nodes.map(({ id, type, email, teamName, plan }) => (
          <li key={id}>
            <Link to={of(id)}>
              <bdi>{revealControlCharacters(teamName ?? email ?? id)}</bdi>
            </Link>
            <span class="quiet">
              {type} account <bdi>{id}</bdi>, {plan.name} plan, {plan.status.replaceAll('_', ' ')}
            </span>
          </li>
        ))}
      </ul>
      <p class="pages">
        {variables.after && <Link to={withParams(address, { after: undefined })}>First</Link>}
        {pageInfo.hasNextPage && (
          <Link to={withParams(address, { after: pageInfo.endCursor ?? undefined })}>Next 100</Link>
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
