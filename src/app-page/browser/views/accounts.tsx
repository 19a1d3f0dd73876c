import { useState } from 'preact/hooks';
import { type Address, elsewhere } from '../address.ts';
import { AccountsDocument } from '../documents/documents.generated.ts';
import { Link } from '../parts/link.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useAnswer } from '../use-answer.ts';

/** For internal tokens, which have no account of their own: they choose one. */
export function Accounts({ address }: { address: Address }) {
  const [after, setAfter] = useState<string | null>(null);
  const asked = useAnswer(AccountsDocument, { after });
  return (
    <main id="content" class="chooser">
      <header class="view">
        <h1>Accounts</h1>
        <p>This token may see every account. Choose one.</p>
      </header>
      <Answered asked={asked}>
        {({ accounts: { nodes, pageInfo } }) =>
          nodes.length === 0 ? (
            <Empty>There are no accounts yet.</Empty>
          ) : (
            <>
              <ul class="list panel">
                {nodes.map(({ id, type, email, teamName, plan }) => (
                  <li key={id}>
                    <Link to={{ ...elsewhere(address, []), params: new URLSearchParams({ account: id }) }}>
                      <bdi>{teamName ?? email ?? id}</bdi>
                    </Link>
                    <span class="quiet">
                      {type} account <bdi>{id}</bdi>, {plan.name} plan, {plan.status}
                    </span>
                  </li>
                ))}
              </ul>
              {pageInfo.hasNextPage && (
                <button type="button" onClick={() => setAfter(pageInfo.endCursor)}>
                  Next 100
                </button>
              )}
            </>
          )
        }
      </Answered>
    </main>
  );
}
