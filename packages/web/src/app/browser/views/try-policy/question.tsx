import { useContext, useEffect, useState } from 'preact/hooks';
import { type Address, goTo, withParams } from '../../address.ts';
import { SitesDocument } from '../../documents/documents.generated.ts';
import { dayBefore, revealControlCharacters } from '../../format.ts';
import { SessionContext, useAnswer } from '../../use-answer.ts';
import { DAYS } from './added.ts';

/** The initial policy of the form, which reports every external source. */
const FIRST = "default-src 'self'";

/** The form for the site and the policy. */
export function Question({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const query = useAnswer(SitesDocument, { account, from: dayBefore(DAYS - 1) }, address);
  const { sites, policies = [] } = query.answer?.data.account ?? {};
  const given = { site: address.params.get('site') ?? '', policy: address.params.get('policy') ?? FIRST };
  const [site, setSite] = useState(given.site);
  const [policy, setPolicy] = useState(given.policy);
  // Navigating back restores the earlier values of the form.
  useEffect(() => {
    setSite(given.site);
    setPolicy(given.policy);
  }, [given.site, given.policy]);
  const submit = (event: Event) => {
    event.preventDefault();
    goTo(withParams(address, { site: site.trim(), policy: policy.trim(), add: undefined }));
  };
  return (
    <form class="panel wide question" onSubmit={submit}>
      <label>
        Site
        <input
          list="sites"
          required
          maxLength={255}
          value={site}
          onInput={event => setSite(event.currentTarget.value)}
        />
      </label>
      <datalist id="sites">
        {sites?.groups.map(({ keys }) => (
          <option key={keys[0]!.value} value={keys[0]!.value} />
        ))}
      </datalist>
      {policies.length > 0 && (
        <label>
          Start from
          <select onChange={event => event.currentTarget.value && setPolicy(event.currentTarget.value)}>
            <option value="">the text below</option>
            {policies.map(saved => (
              <option key={saved.policyId} value={saved.policy}>
                {revealControlCharacters(saved.name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Policy
        <textarea
          rows={4}
          required
          maxLength={16_000}
          spellcheck={false}
          value={policy}
          onInput={event => setPolicy(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Try it</button>
    </form>
  );
}
