import { SECONDS_PER_HOUR } from '@sightline/reports';
import { type Hour, hourlySeries, type Series } from '../../sql/insights/hourly.ts';
import { type ErrorPlace, findErrorNetwork, listMoments } from '../../sql/insights/network.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, moment, plural, shortenText, toInstant, toSeconds } from './candidate.ts';
import { groupBy } from './group-by.ts';
import { type InsightScope, QUIET_DAYS, toWindow, USUAL_DAYS } from './scope.ts';
import { findSpikes, isExplained, type Spike, sum } from './series.ts';
import { spikeDraft } from './spike.ts';

/** The maximum number of spikes whose exact times are looked up. */
const MOST = 20;

/** Finds insights about network errors, with the exact times of their start and end. */
export async function networkInsights(
  scope: InsightScope,
): Promise<{ drafts: InsightCandidate[]; all: Series | undefined }> {
  const window = toWindow(scope, USUAL_DAYS, QUIET_DAYS);
  const series = await hourlySeries(scope.database, 'nel', window);
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = toSeconds(toWindow(scope, USUAL_DAYS).since) / SECONDS_PER_HOUR;
  const errors = series.error
    .flatMap(one => findSpikes(one, began, since).map(spike => ({ spike, hours: one.hours })))
    .sort((one, other) => sum(other.spike) - sum(one.spike));
  const places = new Map(errors.slice(0, MOST).map(({ spike, hours }) => [spike, listPlaces(spike, hours)]));
  const moments = await listMoments(scope.database, window, [...places.values()].flat());
  const found = errors.map(({ spike }) => spike);
  const rest = (all ? findSpikes(all, began, since) : []).filter(spike => !isExplained(spike, found));
  const exact = found.map(spike => {
    const [first = spike.first, last = spike.last] = (places.get(spike) ?? []).map(place =>
      moments.get(place),
    );
    return { ...spike, first, last };
  });
  const drafts = await Promise.all(
    groupOutages(exact).map(async group =>
      group.length < RULES.networkError.hosts
        ? group.map(errorDraft)
        : [outageDraft(group, await findNetwork(scope, group))],
    ),
  );
  return { drafts: [...drafts.flat(), ...rest.map(spike => spikeDraft('nel', 'all', spike))], all };
}

/** Groups spikes of the same error that began within half an hour of each other. */
function groupOutages(spikes: readonly Spike[]): Spike[][] {
  return [...groupBy(spikes, ({ values: [, error] }) => error).values()].flatMap(own => {
    const runs: Spike[][] = [];
    for (const spike of own.toSorted((one, other) => one.first - other.first)) {
      const run = runs.at(-1);
      if (run && spike.first - run[0]!.first <= SECONDS_PER_HOUR / 2) run.push(spike);
      else runs.push([spike]);
    }
    return runs;
  });
}

const getSpan = (group: readonly Spike[]) => ({
  first: Math.min(...group.map(({ first }) => first)),
  last: Math.max(...group.map(({ last }) => last)),
});

async function findNetwork(scope: InsightScope, group: readonly Spike[]): Promise<string | undefined> {
  const hosts = group.map(({ values: [host] }) => host);
  const [, error] = group[0]!.values;
  const found = await findErrorNetwork(scope.database, toWindow(scope, 0), {
    hosts,
    error,
    ...getSpan(group),
  });
  return found && found.share >= RULES.networkError.network ? found.organisation : undefined;
}

/**
 * Combines simultaneous errors of several hosts into one insight, about the visitors' network or about something that
 * the hosts share.
 */
function outageDraft(group: readonly Spike[], network: string | undefined): InsightCandidate {
  const hosts = group.map(({ values: [host] }) => host);
  const [, error] = group[0]!.values;
  const { first, last } = getSpan(group);
  const count = group.reduce((all, spike) => all + spike.count, 0);
  const baseline = group.reduce((all, spike) => all + spike.baseline, 0);
  return {
    kind: 'networkError',
    severity: 'incident',
    title: `${shortenText(error)} on ${plural(hosts.length, 'host')}${network ? ` for visitors of ${shortenText(network)}` : ''}`,
    detail: `${plural(count, 'report')}, most from ${moment(first)} to ${moment(last)}, where ${Math.round(baseline)} are usual: ${hosts.map(host => shortenText(host)).join(', ')}.`,
    subject: network ? `${network} ${error}` : error,
    key: `${error} together`,
    first,
    last,
    count,
    baseline,
    reports: { type: 'nel', filters: { nelType: error, organisation: network } },
    hosts,
    rank: group.reduce((all, spike) => all + sum(spike), 0),
  };
}

/** The shares of a spike's reports before its start and after its end. These are normal traffic. */
const ENDS = [0.05, 0.95];

function listPlaces(
  { values: [host, error], firstHour, lastHour }: Spike,
  hours: readonly Hour[],
): ErrorPlace[] {
  const own = hours.filter(({ hour }) => hour >= firstHour && hour <= lastHour);
  const all = own.reduce((sum, { reports }) => sum + reports, 0);
  return ENDS.map(end => {
    let index = Math.ceil(end * all) - 1;
    for (const { hour, reports } of own) {
      if (index < reports) return { host, error, hour: toInstant(hour * SECONDS_PER_HOUR), index };
      index -= reports;
    }
    throw new RangeError('no part of a spike lies behind it');
  });
}

function errorDraft(spike: Spike): InsightCandidate {
  const [host, error] = spike.values;
  const minutes = Math.max(1, Math.round((spike.last - spike.first) / 60));
  return {
    kind: 'networkError',
    severity: 'incident',
    title: `${shortenText(error)} on ${shortenText(host)} for ${minutes < 120 ? plural(minutes, 'minute') : plural(minutes / 60, 'hour')}`,
    detail: `${plural(spike.count, 'report')}, most from ${moment(spike.first)} to ${moment(spike.last)}, where ${Math.round(spike.baseline)} are usual.`,
    subject: `${host} ${error}`,
    first: spike.first,
    last: spike.last,
    count: spike.count,
    baseline: spike.baseline,
    reports: { type: 'nel', filters: { hostnames: host, nelType: error } },
    hosts: [host],
    rank: sum(spike),
  };
}
