import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Address } from './address.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';
import { AsRequest } from './parts/as-request.tsx';
import { Answered } from './parts/states.tsx';
import { type Answer, SessionContext, useAnswer } from './use-answer.ts';

interface Definition<Data, Variables> {
  document: TypedDocumentString<Data, Variables>;
  /** The variables of the query at an address. */
  ask(address: Address, account: string): Variables;
  /** Stands above the answer, and does not wait for it. @param props of the present address; its answer once it is there */
  Head?(props: { address: Address; data: Data | undefined }): ComponentChildren;
  /** Shows an answer. */
  Show(props: Answer<Data, Variables>): ComponentChildren;
  /** The name of an answer's subject, which stands above it while the next one is on its way. */
  nameOf?(address: Address): string;
}

/**
 * A view of a query's answer. Views are made outside of any render, so `Show` has an answer and its address alone. No
 * numbers can stand below a period that is not theirs.
 */
export function answering<Data, Variables>(definition: Definition<Data, Variables>) {
  const { document, ask, Head, Show, nameOf } = definition;
  const ShowWithRequest = (answer: Answer<Data, Variables>) => (
    <>
      <Show {...answer} />
      <AsRequest document={document} variables={answer.variables} />
    </>
  );
  return function AnsweringView({ address }: { address: Address }) {
    const { account } = useContext(SessionContext);
    const asked = useAnswer(document, ask(address, account), address);
    return (
      <>
        {Head && <Head address={address} data={asked.isCurrent ? asked.answer?.data : undefined} />}
        <Answered asked={asked} show={ShowWithRequest} {...(nameOf && { nameOf })} />
      </>
    );
  };
}
