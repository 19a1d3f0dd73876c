import type { ThirdParties } from './third-parties.ts';

/** A Content Security Policy that the pages of an account send. */
export interface DemoPolicy {
  /** The id of the saved policy; undefined for a policy that was only observed. */
  id: string | undefined;
  name: string;
  text: string;
  action: 'enforced' | 'reportOnly';
  /** Its relative share of the reports. */
  weight: number;
  iocHosts: readonly string[];
  concernHosts: readonly string[];
}

interface Draft extends Partial<Pick<DemoPolicy, 'id' | 'iocHosts' | 'concernHosts'>> {
  name: string;
  action: DemoPolicy['action'];
  weight: number;
  script: string;
  hosts: readonly string[];
}

/**
 * The saved and the observed policies of an account.
 * @param collector the origin that reports are sent to
 */
export function policiesFor(account: number, collector: string, thirdParties: ThirdParties): DemoPolicy[] {
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
    text: toText(script, hosts, `${collector}/r/csp/${draft.action}`),
  }));
}

function toText(script: string, hosts: readonly string[], collector: string): string {
  const sources = hosts.map(host => `https://${host}`).join(' ');
  return [
    "default-src 'self'",
    `script-src ${script} ${sources}`,
    "img-src 'self' data:",
    "object-src 'none'",
    `report-uri ${collector}`,
  ].join('; ');
}
