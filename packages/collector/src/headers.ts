/** A header to set on a site's responses. */
export interface ReportingHeader {
  name: string;
  value: string;
  /** A sentence for the administrator of the site. */
  note: string;
}

/** How long browsers remember where to report network errors, in seconds: thirty days. */
const REMEMBERED = 2_592_000;

/**
 * Returns the headers with which browsers report to this address. For an http address they use only `report-uri`,
 * because browsers ignore `Reporting-Endpoints` without TLS, and ignore `report-uri` if there is a `report-to`.
 * @param url address with the token, as printed by `token create`: `https://reports.example/r/TOKEN`
 * @param own addresses for reports of enforced and report-only policies, if they differ
 * @see https://www.w3.org/TR/reporting-1/, https://www.w3.org/TR/network-error-logging/, https://www.w3.org/TR/CSP3/
 */
export function reportingHeaders(url: string, own = { enforce: '', reportOnly: '' }): ReportingHeader[] {
  const to = url.replace(/\/+$/, '');
  const enforce = own.enforce || `${to}/enforce`;
  const reportOnly = own.reportOnly || `${to}/report`;
  if (/^http:/i.test(to)) return reportUriHeaders(enforce, reportOnly);
  const group = { group: 'nel', max_age: REMEMBERED, include_subdomains: true, endpoints: [{ url: to }] };
  const nel = { report_to: 'nel', max_age: REMEMBERED, include_subdomains: true, failure_fraction: 1 };
  return [
    {
      name: 'Reporting-Endpoints',
      value: `default="${to}", csp="${enforce}", csp-try="${reportOnly}"`,
      note: 'Deprecations, interventions and crashes go to "default"; policies name their endpoint.',
    },
    {
      name: 'Content-Security-Policy-Report-Only',
      value: `default-src 'self'; script-src 'self' 'report-sha256'; report-to csp-try; report-uri ${reportOnly}`,
      note: 'A policy to try: it blocks nothing. With report-sha256, browsers also report the hash of each script.',
    },
    {
      name: 'Content-Security-Policy',
      value: `default-src 'self'; report-to csp; report-uri ${enforce}`,
      note: 'An enforced policy. Browsers without report-to use report-uri.',
    },
    { name: 'Report-To', value: JSON.stringify(group), note: 'Only network errors still use it.' },
    {
      name: 'NEL',
      value: JSON.stringify(nel),
      note: 'Its reports need a different host than the one that it monitors, which can be down.',
    },
  ];
}

/** Returns the headers for an address without TLS. */
function reportUriHeaders(enforce: string, reportOnly: string): ReportingHeader[] {
  const why = 'Without TLS, browsers use only report-uri, and report only policy violations.';
  return [
    {
      name: 'Content-Security-Policy-Report-Only',
      value: `default-src 'self'; script-src 'self' 'report-sha256'; report-uri ${reportOnly}`,
      note: `A policy to try: it blocks nothing. ${why}`,
    },
    {
      name: 'Content-Security-Policy',
      value: `default-src 'self'; report-uri ${enforce}`,
      note: `A policy that blocks. ${why}`,
    },
  ];
}
