import { type Address, changed, goTo } from '../address.ts';
import { AccountsDocument } from '../documents/documents.generated.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Link } from '../parts/link.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useAnswer } from '../use-answer.ts';

/** For internal tokens, which have no account of their own: they choose one. */
export function Accounts({ address }: { address: Address }) {
  const variables = { after: address.params.get('after') };
  const asked = useAnswer(AccountsDocument, variables);
  return (
    <main id="content" class="chooser">
      <header class="view">
        <h1>Accounts</h1>
        <p>This token may see every account. Choose one.</p>
      </header>
      <form class="find" onSubmit={open}>
        <label>
          Id of an account <input name="account" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Open</button>
      </form>
      <Answered asked={asked}>
        {({ accounts: { nodes, pageInfo } }) =>
          nodes.length === 0 ? (
            <Empty>There are no accounts yet.</Empty>
          ) : (
            <>
              <ul class="list panel">
                {nodes.map(({ id, type, email, teamName, plan }) => (
                  <li key={id}>
                    <Link to={of(id)}>
                      <bdi>{teamName ?? email ?? id}</bdi>
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
              <AsRequest document={AccountsDocument} variables={variables} />
            </>
          )
        }
      </Answered>
    </main>
  );
}

function of(account: string): Address {
  return { path: [], params: new URLSearchParams({ account }) };
}

function open(event: SubmitEvent): void {
  event.preventDefault();
  goTo(of(String(new FormData(event.currentTarget as HTMLFormElement).get('account')).trim()));
}
