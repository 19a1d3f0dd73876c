import { useContext, useEffect, useState } from 'preact/hooks';
import { type Address, goTo, withParams } from '../../address.ts';
import { MailDomainsDocument, type MailDomainsQuery } from '../../documents/documents.generated.ts';
import { SessionContext, useAnswer } from '../../use-answer.ts';
import { readTag, withTag } from './record-tags.ts';
import { FIRST_POLICY, toInstants } from './scope.ts';

const ACTIONS = [
  ['none', 'none: deliver'],
  ['quarantine', 'quarantine'],
  ['reject', 'reject'],
] as const;
const MODES = [['s', 'strict']] as const;

/** The tags for which the form has a select element. Other tags can be typed into the record. */
const TAGS = [
  { tag: 'p', label: 'Policy (p)', unset: 'not set', values: ACTIONS },
  { tag: 'sp', label: 'Sub-domains (sp)', unset: 'like p', values: ACTIONS },
  { tag: 'np', label: 'Missing sub-domains (np)', unset: 'like sp', values: ACTIONS },
  { tag: 'adkim', label: 'DKIM (adkim)', unset: 'relaxed', values: MODES },
  { tag: 'aspf', label: 'SPF (aspf)', unset: 'relaxed', values: MODES },
  { tag: 't', label: 'Test mode (t)', unset: 'off', values: [['y', 'on: one level lower']] },
] as const;

/** The form for the domain and the DMARC record. */
export function Question({ address }: { address: Address }) {
  const given = {
    domain: address.params.get('domain') ?? '',
    policy: address.params.get('policy') ?? FIRST_POLICY,
  };
  const [domain, setDomain] = useState(given.domain);
  const [policy, setPolicy] = useState(given.policy);
  // Navigating back restores the earlier values of the form.
  useEffect(() => {
    setDomain(given.domain);
    setPolicy(given.policy);
  }, [given.domain, given.policy]);
  const submit = (event: Event) => {
    event.preventDefault();
    goTo(withParams(address, { domain: domain.trim(), policy: policy.trim() }));
  };
  return (
    <form class="panel wide question" onSubmit={submit}>
      <label>
        Domain
        <input
          list="mail-domains"
          required
          maxLength={255}
          value={domain}
          onInput={event => setDomain(event.currentTarget.value)}
        />
      </label>
      <Domains address={address} />
      <Tags policy={policy} onChange={setPolicy} />
      <label>
        DMARC record
        <textarea
          rows={2}
          required
          maxLength={2000}
          spellcheck={false}
          value={policy}
          onInput={event => setPolicy(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Try it</button>
    </form>
  );
}

function Tags({ policy, onChange }: { policy: string; onChange(policy: string): void }) {
  return (
    <fieldset aria-label="Tags of the record">
      {TAGS.map(({ tag, label, unset, values }) => (
        <label key={tag}>
          {label}
          <select
            value={toChoice(readTag(policy, tag), values)}
            onChange={event => onChange(withTag(policy, tag, event.currentTarget.value))}
          >
            <option value="">{unset}</option>
            {values.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

const toChoice = (value: string, values: readonly (readonly [string, string])[]) =>
  values.some(([name]) => name === value.toLowerCase()) ? value.toLowerCase() : '';

/** Suggests domains that occur in reports. */
function Domains({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const { answer } = useAnswer(MailDomainsDocument, { account, ...toInstants(address) }, address);
  return (
    <datalist id="mail-domains">
      {listDomains(answer?.data.account).map(name => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function listDomains(account: MailDomainsQuery['account'] | undefined): string[] {
  const groups = [account?.dmarc, account?.tls].flatMap(rows => rows?.groups ?? []);
  return [...new Set(groups.map(({ keys }) => keys[0]!.value))].filter(name => name !== '');
}
