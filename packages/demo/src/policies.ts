import type { ThirdParties } from './third-parties.ts';

/** A Content Security Policy that the pages of an account send. */
export interface Policy {
  /** The id of the saved policy; one that is only observed has none. */
  id: string | undefined;
  name: string;
  text: string;
  action: 'enforced' | 'reportOnly';
  /** Its share of reports, in comparison. */
  weight: number;
  iocHosts: readonly string[];
  concernHosts: readonly string[];
}

interface Draft extends Partial<Pick<Policy, 'id' | 'iocHosts' | 'concernHosts'>> {
  name: string;
  action: Policy['action'];
  weight: number;
  script: string;
  hosts: readonly string[];
}

/** The saved and the observed policies of an account whose collector is at `collector`. */
export function policiesFor(account: number, collector: string, thirdParties: ThirdParties): Policy[] {
  const { trustedHosts, compromisedHost, concerningHost } = thirdParties;
  const own = (count: number) => trustedHosts.slice(account % 7, (account % 7) + count);
  const strict = "'self' 'report-sample'";
  const loose = "'self' 'unsafe-inline'";
  const drafts: Draft[] = [
    { id: 'main-site', name: 'Main site', action: 'enforced', weight: 55, script: strict, hosts: own(3) },
    { id: 'checkout', name: 'Checkout', action: 'enforced', weight: 20, script: "'self'", hosts: own(2) },
    { id: 'candidate', name: 'Candidate', action: 'reportOnly', weight: 14, script: strict, hosts: own(3) },
    { id: 'checkout-next', name: 'Checkout', action: 'reportOnly', weight: 4, script: strict, hosts: own(1) },
    { name: 'Old blog', action: 'reportOnly', weight: 4, script: loose, hosts: own(4) },
    {
      name: 'Campaign',
      action: 'enforced',
      weight: 2,
      script: loose,
      hosts: [...own(2), concerningHost],
      concernHosts: [concerningHost],
    },
    {
      name: 'Plugin',
      action: 'enforced',
      weight: 1,
      script: loose,
      hosts: [...own(1), compromisedHost, concerningHost],
      iocHosts: [compromisedHost],
      concernHosts: [concerningHost],
    },
  ];
  return drafts.map(({ script, hosts, ...draft }) => ({
    id: undefined,
    iocHosts: [],
    concernHosts: [],
    ...draft,
    text: textOf(script, hosts, `${collector}/r/csp/${draft.action}`),
  }));
}

function textOf(script: string, hosts: readonly string[], collector: string): string {
  const sources = hosts.map(host => `https://${host}`).join(' ');
  return [
    "default-src 'self'",
    `script-src ${script} ${sources}`,
    "img-src 'self' data:",
    "object-src 'none'",
    `report-uri ${collector}`,
  ].join('; ');
}
