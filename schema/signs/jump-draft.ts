import { type ReportType, reportType } from '@sightline/reports';
import { type Draft, moment, plural, told } from './draft.ts';
import { type Jump, sumOf } from './series.ts';

type Of = 'all' | 'directive' | 'page' | 'host';

/** The subject of a jump, the filters that find its reports, and the hosts that it is about. */
const SUBJECTS: Record<
  Of,
  (values: Jump['values']) => { name: string; filters: Record<string, string>; hosts: string[] }
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

/** The sign of a jump that no kind of its own tells. */
export function jumpDraft(type: ReportType, of: Of, jump: Jump): Draft {
  const { name, filters, hosts } = SUBJECTS[of](jump.values);
  const { label } = reportType(type);
  return {
    kind: 'jump',
    severity: 'change',
    title: `${label} reports ${name === '' ? '' : `${WORDS[of]}${told(name)} `}jump`,
    detail: `${plural(jump.count, 'report')} from ${moment(jump.first)} to ${moment(jump.last)}, where ${Math.round(jump.usual)} are usual.`,
    subject: name === '' ? type : name,
    key: `${type} ${of} ${name}`,
    first: jump.first,
    last: jump.last,
    count: jump.count,
    usual: jump.usual,
    reports: { type, filters },
    hosts,
    rank: sumOf(jump),
  };
}
