import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startWatchedService, type WatchedService } from './support/watched-service.ts';

const RULES = 'packaging/prometheus/alerts.yaml';
const DASHBOARD = 'packaging/grafana/sightline.json';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

const rules: Rule[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const { panels, templating } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
  panels: Panel[];
  templating: { list: { name: string; query: string }[] };
};
const targets = panels.flatMap(({ targets = [] }) => targets);
const page = readFileSync('docs/operations.md', 'utf8');

/** Labels added by the scraper. */
const OF_THE_SCRAPE = ['job', 'instance'];
/** Labels of the series of a histogram. */
const OF_A_HISTOGRAM = ['le'];

interface Query {
  names: string[];
  /** The labels used in matchers and groupings. */
  labels: string[];
  /** The strings with which labels are compared for equality. */
  values: { label: string; value: string }[];
  /** Parts of the expression that are not valid PromQL. */
  mistakes: string[];
}

/** Parses the names and labels of a query. Grafana's variables stand for durations and strings. */
function read(query: string): Query {
  const text = query.replaceAll('$__rate_interval', '5m');
  const found: Query = { names: [], labels: [], values: [], mistakes: [] };
  parser.parse(text).iterate({
    enter({ name, from, to, type, node }) {
      const piece = text.slice(from, to);
      if (type.isError) found.mistakes.push(text.slice(0, to));
      if (name === 'Identifier') found.names.push(piece);
      if (name === 'LabelName') found.labels.push(piece);
      if (name !== 'UnquotedLabelMatcher') return;
      const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map(part => {
        const child = node.getChild(part)!;
        return text.slice(child.from, child.to);
      });
      if (operator === '=' && !value!.includes('$'))
        found.values.push({ label: label!, value: value!.slice(1, -1) });
    },
  });
  return found;
}

const queries = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => expr)].map(read);

let service: WatchedService;
/** The metrics of the service by name, with their labels. */
let seen: Map<string, Set<string>>;
beforeAll(async () => {
  service = await startWatchedService();
  await service.metrics();
  seen = knownMetrics();
});
afterAll(() => service?.[Symbol.asyncDispose]());

/**
 * Returns Node's metrics and those listed in docs/operations.md, which another test compares with the service's output.
 */
function knownMetrics(): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const [, name, by = ''] of page.matchAll(/^\| `(sightline_\w+)`(?: by ([^|]*?))? \|/gm)) {
    metrics.set(name!, new Set([...by.matchAll(/`(\w+)`/g)].map(([, label]) => label!)));
  }
  return metrics;
}

/** Returns the metric to which a series belongs. */
const getMetric = (series: string) => series.replace(/_(bucket|count|sum)$/, '');

describe.each([
  ['alarms', () => rules.map(({ expr }) => expr)],
  ['dashboard', () => targets.map(({ expr }) => expr)],
])('the monitoring queries (%s)', (_, expressions) => {
  it('are valid PromQL', () => {
    expect(expressions().length).toBeGreaterThan(15);
    expect(expressions().flatMap(text => read(text).mistakes)).toEqual([]);
    expect(read('sum(rate(up[5m])').mistakes).not.toEqual([]);
  });

  it('use only existing metrics', async () => {
    const printed = [...(await service.metrics()).matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name!);
    const names = [...new Set(expressions().flatMap(text => read(text).names))].map(getMetric);
    expect(names.filter(name => !seen.has(name) && !printed.includes(name))).toEqual([]);
  });

  it('use only existing labels', () => {
    for (const text of expressions()) {
      const { names, labels } = read(text);
      const had = names.flatMap(name => [...(seen.get(getMetric(name)) ?? [])]);
      const others = labels.filter(label => ![...OF_THE_SCRAPE, ...OF_A_HISTOGRAM, ...had].includes(label));
      expect(others, text).toEqual([]);
    }
  });
});

it('monitoring queries compare labels only with documented values', () => {
  const values = queries.flatMap(({ values }) => values);
  expect(values.length).toBeGreaterThan(5);
  for (const { value } of values.filter(({ label }) => label !== 'status'))
    expect(page).toContain(`\`${value}\``);
});

describe('the alert rules', () => {
  it('match the documentation, including the conditions', () => {
    const [, table = ''] = page.split('\n## What to watch\n');
    const [alarms = ''] = table.split('\n**Loads**');
    const conditions = [...alarms.matchAll(/^\| [^|]+ \| ([^|]+(?:\|[^|]*)?) \| /gm)]
      .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]*(?:sightline|process|nodejs)_[^`]* [><=]+ [^`]*)`/g)])
      .map(([, condition]) => condition!);
    expect(conditions.length).toBeGreaterThan(15);
    expect(rules.map(({ expr }) => expr)).toEqual(expect.arrayContaining(conditions));
  });

  it('each state the problem, the severity and the remedy', () => {
    for (const rule of rules) {
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Sightline[A-Z]\w+$/),
        for: expect.stringMatching(/^\d+(s|m)$/),
        labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
        annotations: { summary: expect.any(String), description: expect.any(String) },
      });
      // The summary of an alert can use only the labels that its expression leaves in the result.
      for (const [, label] of rule.annotations.summary.matchAll(/\$labels\.(\w+)/g))
        expect(read(rule.expr).labels.concat([...seen.get(getMetric(read(rule.expr).names[0]!))!])).toContain(
          label,
        );
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('pass the check of promtool', { tags: 'slow' }, context => {
    if (spawnSync('promtool', ['--version']).error) {
      process.stderr.write('skipped: promtool has not looked at the alarms, as it is not installed here\n');
      return context.skip();
    }
    const { status, stdout } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(status).toBe(0);
  });
});

describe('the dashboard', () => {
  it('shows every metric of the service except a few internal ones', () => {
    const shown = new Set(queries.slice(rules.length).flatMap(({ names }) => names.map(getMetric)));
    const left = [...seen.keys()].filter(name => !shown.has(name));
    expect(left.sort()).toEqual([
      'sightline_answer_cache_answers',
      'sightline_build_info',
      'sightline_database_server_up',
      'sightline_rate_limit_local_total',
    ]);
  });

  it('has panels with distinct positions and ids, for a selectable job and data source', () => {
    const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(places).size).toBe(panels.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
    for (const { expr } of targets) expect(expr).toContain('job="$job"');
    const legends = targets.flatMap(({ legendFormat, expr }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => ({ label: label!, expr })),
    );
    for (const { label, expr } of legends) expect(read(expr).labels, expr).toContain(label);
  });
});
