import { hourlySeries, type Series } from '../../sql/signs/hourly.ts';
import { type ErrorHours, minutesOf } from '../../sql/signs/network.ts';
import { type Draft, instantOf, moment, plural, secondsOf, told } from './draft.ts';
import { jumpDraft } from './jump-draft.ts';
import { type Looked, QUIET_DAYS, stretchOf, USUAL_DAYS } from './looked.ts';
import { isExplained, type Jump, jumpsOf, sumOf } from './series.ts';

const HOUR = 3600;

/** Jumps whose minutes are looked up. */
const MOST = 20;

/** Signs of network errors, with the minutes in which they were. */
export async function networkSigns(looked: Looked): Promise<{ drafts: Draft[]; all: Series | undefined }> {
  const stretch = stretchOf(looked, USUAL_DAYS, QUIET_DAYS);
  const series = await hourlySeries(looked.database, 'nel', stretch);
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = secondsOf(stretchOf(looked, USUAL_DAYS).since) / HOUR;
  const errors = series.error
    .flatMap(one => jumpsOf(one, began, since))
    .sort((one, other) => sumOf(other) - sumOf(one));
  const wanted = new Map(errors.slice(0, MOST).map(jump => [jump, hoursOf(jump)]));
  const minutes = await minutesOf(looked.database, stretch, [...wanted.values()]);
  const rest = (all ? jumpsOf(all, began, since) : []).filter(jump => !isExplained(jump, errors));
  return {
    drafts: [
      ...errors.map(jump => {
        const own = wanted.get(jump);
        return errorDraft({ ...jump, ...(own && minutes.get(own)) });
      }),
      ...rest.map(jump => jumpDraft('nel', 'all', jump)),
    ],
    all,
  };
}

const hoursOf = ({ values: [host, error], firstHour, lastHour }: Jump): ErrorHours => ({
  host,
  error,
  from: instantOf(firstHour * HOUR),
  until: instantOf((lastHour + 1) * HOUR),
});

function errorDraft(jump: Jump): Draft {
  const [host, error] = jump.values;
  const minutes = Math.max(1, Math.round((jump.last - jump.first) / 60));
  return {
    kind: 'networkError',
    severity: 'incident',
    title: `${told(error)} on ${told(host)} for ${minutes < 120 ? plural(minutes, 'minute') : plural(minutes / 60, 'hour')}`,
    detail: `${plural(jump.count, 'report')}, most from ${moment(jump.first)} to ${moment(jump.last)}, where ${Math.round(jump.usual)} are usual.`,
    subject: `${host} ${error}`,
    first: jump.first,
    last: jump.last,
    count: jump.count,
    usual: jump.usual,
    reports: { type: 'nel', filters: { hostnames: host, nelType: error } },
    hosts: [host],
    rank: sumOf(jump),
  };
}
