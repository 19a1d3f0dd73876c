import { type ReportType, reportType } from '@sightline/reports';
import { type InsightCandidate, moment, plural, shortenText } from './candidate.ts';
import { type Spike, sum } from './series.ts';

type Of = 'all' | 'directive' | 'page' | 'host';

/** The subject of a spike, the filters that find its reports, and the hosts concerned. */
const SUBJECTS: Record<
  Of,
  (values: Spike['values']) => { name: string; filters: Record<string, string>; hosts: string[] }
> = {
  all: () => ({ name: '', filters: {}, hosts: [] }),
  directive: ([directive]) => ({ name: directive, filters: { effectiveDirective: directive }, hosts: [] }),
  page: ([host, path]) => ({
    name: `${host}${path}`,
    filters: { hostnames: host, paths: path },
    hosts: [host],
  }),
  host: ([host]) => ({ name: host, filters: { blockedHostnames: host }, hosts: [host] }),
};

const WORDS: Record<Of, string> = {
  all: '',
  directive: 'of ',
  page: 'on ',
  host: 'of what is blocked from ',
};

/** Creates the insight of a spike that no more specific kind covers. */
export function spikeDraft(type: ReportType, of: Of, spike: Spike): InsightCandidate {
  const { name, filters, hosts } = SUBJECTS[of](spike.values);
  const { label } = reportType(type);
  return {
    kind: 'spike',
    severity: 'change',
    title: `Spike of ${label} reports${name === '' ? '' : ` ${WORDS[of]}${shortenText(name)}`}`,
    detail: `${plural(spike.count, 'report')} from ${moment(spike.first)} to ${moment(spike.last)}, where ${Math.round(spike.baseline)} are usual.`,
    subject: name === '' ? type : name,
    key: `${type} ${of} ${name}`,
    first: spike.first,
    last: spike.last,
    count: spike.count,
    baseline: spike.baseline,
    reports: { type, filters },
    hosts,
    rank: sum(spike),
  };
}
