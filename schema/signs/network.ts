import { type Hour, hourlySeries, type Series } from '../../sql/signs/hourly.ts';
import { type ErrorPlace, momentsOf } from '../../sql/signs/network.ts';
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
    .flatMap(one => jumpsOf(one, began, since).map(jump => ({ jump, hours: one.hours })))
    .sort((one, other) => sumOf(other.jump) - sumOf(one.jump));
  const places = new Map(errors.slice(0, MOST).map(({ jump, hours }) => [jump, placesOf(jump, hours)]));
  const moments = await momentsOf(looked.database, stretch, [...places.values()].flat());
  const found = errors.map(({ jump }) => jump);
  const rest = (all ? jumpsOf(all, began, since) : []).filter(jump => !isExplained(jump, found));
  return {
    drafts: [
      ...found.map(jump => {
        const [first = jump.first, last = jump.last] = (places.get(jump) ?? []).map(place =>
          moments.get(place),
        );
        return errorDraft({ ...jump, first, last });
      }),
      ...rest.map(jump => jumpDraft('nel', 'all', jump)),
    ],
    all,
  };
}

/** Parts of a jump's reports before its first minute and its last: what is usual surrounds what is not. */
const ENDS = [0.05, 0.95];

function placesOf(
  { values: [host, error], firstHour, lastHour }: Jump,
  hours: readonly Hour[],
): ErrorPlace[] {
  const own = hours.filter(({ hour }) => hour >= firstHour && hour <= lastHour);
  const all = own.reduce((sum, { reports }) => sum + reports, 0);
  return ENDS.map(end => {
    let index = Math.ceil(end * all) - 1;
    for (const { hour, reports } of own) {
      if (index < reports) return { host, error, hour: instantOf(hour * HOUR), index };
      index -= reports;
    }
    throw new RangeError('no part of a jump lies behind it');
  });
}

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
