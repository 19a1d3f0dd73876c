import { useEffect, useState } from 'preact/hooks';
import { ask, findVisitor, NoAnswer, type Visitor } from './api.ts';
import { SessionDocument, type SessionQuery } from './documents/documents.generated.ts';
import { revealControlCharacters } from './format.ts';
import { Starting, Stuck } from './parts/before-sign-in.tsx';
import { Shell } from './shell.tsx';
import { leaveFor } from './stored-key.ts';
import { asNoAnswer } from './use-answer.ts';

type State =
  | { step: 'starting' }
  | { step: 'stuck'; problem: NoAnswer }
  | { step: 'choosing'; visitor: Visitor }
  | { step: 'signed-in'; visitor: Visitor; account: string; viewer: SessionQuery['viewer'] };

/** The session storage entry for this tab's account, which survives a reload. */
const NAME = 'sightline-account';

/** The page for visitors who sign in at a proxy. */
export function ProxiedApp() {
  const [state, setState] = useState<State>({ step: 'starting' });
  const fail = (error: unknown) => setState({ step: 'stuck', problem: asNoAnswer(error) });
  const choose = async (visitor: Visitor, account: string) => {
    const { viewer } = await ask(account, SessionDocument, {});
    sessionStorage.setItem(NAME, account);
    setState({ step: 'signed-in', visitor, account, viewer });
  };
  const begin = () => {
    setState({ step: 'starting' });
    findVisitor()
      .then(visitor => {
        const last = visitor.accounts.find(({ id }) => id === sessionStorage.getItem(NAME));
        const [only, another] = visitor.accounts;
        const account = last ?? (another ? undefined : only);
        if (account) return choose(visitor, account.id);
        setState({ step: 'choosing', visitor });
      })
      .catch(fail);
  };
  useEffect(begin, []);

  if (state.step === 'starting') return <Starting />;
  if (state.step === 'stuck') return <Stuck problem={state.problem} retry={begin} />;
  const { visitor } = state;
  if (state.step === 'choosing')
    return <Chooser visitor={visitor} choose={account => void choose(visitor, account).catch(fail)} />;
  return (
    <Shell
      userKey={state.account}
      viewer={state.viewer}
      visitor={visitor}
      leaveAccount={visitor.accounts.length > 1 ? () => setState({ step: 'choosing', visitor }) : undefined}
      signOut={reason => leave(visitor, reason, fail)}
    />
  );
}

/** Signs out at the proxy, which holds the session. */
function leave({ signOut }: Visitor, reason: string | undefined, fail: (error: unknown) => void): void {
  sessionStorage.removeItem(NAME);
  if (reason !== undefined) fail(new NoAnswer('unauthorized', reason));
  else if (signOut) leaveFor(signOut);
  else
    fail(new NoAnswer('refused', 'Sign out at your proxy: PAGE_LOGIN_SIGN_OUT does not name its address.'));
}

function Chooser({ visitor, choose }: { visitor: Visitor; choose(account: string): void }) {
  return (
    <main class="sign-in">
      <h1>Sightline</h1>
      <p>
        Signed in as <bdi>{revealControlCharacters(visitor.user)}</bdi>. Choose an account.
      </p>
      {visitor.accounts.map(({ id, name }) => (
        <p key={id}>
          <button type="button" onClick={() => choose(id)}>
            {revealControlCharacters(name)}
          </button>
        </p>
      ))}
    </main>
  );
}
