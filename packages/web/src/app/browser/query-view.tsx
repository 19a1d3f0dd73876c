import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Address } from './address.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';
import { AsRequest } from './parts/as-request.tsx';
import { Answered } from './parts/states.tsx';
import { type QueryAnswer, SessionContext, useAnswer } from './use-answer.ts';

interface Definition<Data, Variables> {
  document: TypedDocumentString<Data, Variables>;
  /** Returns the variables of the query for an address. */
  ask(address: Address, account: string): Variables;
  /**
   * Renders the part above the result, which does not wait for the data.
   * @param props the current address, and its data once loaded
   */
  Head?(props: { address: Address; data: Data | undefined }): ComponentChildren;
  /** Renders the result. */
  Show(props: QueryAnswer<Data, Variables>): ComponentChildren;
  /** Returns the name of a result's subject, which is shown above a stale result while the next one loads. */
  getName?(address: Address): string;
}

/**
 * Creates a view of a query's result. `Show` receives the result together with its address, so that numbers never
 * appear under the heading of another period.
 */
export function createQueryView<Data, Variables>(definition: Definition<Data, Variables>) {
  const { document, ask, Head, Show, getName: nameOf } = definition;
  const ShowWithRequest = (answer: QueryAnswer<Data, Variables>) => (
    <>
      <Show {...answer} />
      <AsRequest document={document} variables={answer.variables} />
    </>
  );
  return function AnsweringView({ address }: { address: Address }) {
    const { account } = useContext(SessionContext);
    const query = useAnswer(document, ask(address, account), address);
    return (
      <>
        {Head && <Head address={address} data={query.isCurrent ? query.answer?.data : undefined} />}
        <Answered query={query} show={ShowWithRequest} {...(nameOf && { getName: nameOf })} />
      </>
    );
  };
}
