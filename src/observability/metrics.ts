import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  ANSWER_READINGS,
  type AnswerSource,
  registerReadings,
  SERVICE_READINGS,
  type ServiceSources,
} from './readings.ts';

/** The metrics as text. */
export interface PrintedMetrics {
  /** Returns all metrics in Prometheus' text format. */
  print(): Promise<string>;
  readonly contentType: string;
}

/** Returns the metrics of all worker processes combined. */
export function metricsOfAll(): PrintedMetrics {
  const registry = new AggregatorRegistry();
  return { print: () => registry.clusterMetrics(), contentType: registry.contentType };
}

/** The outcome of a GraphQL operation. */
interface OperationOutcome {
  /** `ok`, or the code of the first error. */
  code: string;
  /** The name of the limit that was exceeded. */
  limit: string | undefined;
  /** Why graphql-js wrote the response, if it did. */
  unwritten: string | undefined;
}

export interface Metrics extends PrintedMetrics {
  /** Records the start of a request. */
  begun(): void;
  /**
   * Records the end of a request.
   * @param status of the response, or `aborted`
   */
  ended(route: string, status: number | 'aborted', seconds: number): void;
  operation(outcome: OperationOutcome): void;
  watchAnswers(answers: AnswerSource): void;
  /** Responds to the primary, which aggregates the metrics of its workers. */
  share(): void;
}

/** In seconds. Most responses take less than five milliseconds; a statement times out after two seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** All labels have few, fixed values: routes, statuses and codes, but never an account, a key or an id. */
export function createMetrics(sources: ServiceSources, version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registerReadings(registry, SERVICE_READINGS, sources);
  new Gauge({
    name: 'sightline_build_info',
    help: 'Always 1: the version of the service, and of Node.',
    labelNames: ['version', 'node'],
    registers,
    aggregator: 'first',
  }).set({ version, node: process.versions.node }, 1);
  const operations = new Counter({
    name: 'sightline_graphql_operations_total',
    help: 'GraphQL operations by outcome: ok, or the code of the first error.',
    labelNames: ['outcome'],
    registers,
  });
  const limits = new Counter({
    name: 'sightline_graphql_limits_exceeded_total',
    help: 'GraphQL operations refused for their size, by the limit.',
    labelNames: ['limit'],
    registers,
  });
  const fallbacks = new Counter({
    name: 'sightline_graphql_fallbacks_total',
    help: 'GraphQL operations that graphql-js executed, by cause: the form of the operation, or a value.',
    labelNames: ['cause'],
    registers,
  });
  new Gauge({
    name: 'sightline_requests_at_work',
    help: 'Requests without a complete response.',
    registers,
    collect() {
      this.set(requests);
    },
  });
  const durations = new Durations(registry);
  let requests = 0;

  return {
    begun() {
      requests++;
    },
    ended(route, status, seconds) {
      requests--;
      durations.observe(route, status, seconds);
    },
    operation({ code, limit, unwritten }) {
      operations.inc({ outcome: code });
      if (limit !== undefined) limits.inc({ limit });
      if (unwritten !== undefined) fallbacks.inc({ cause: unwritten });
    },
    share() {
      AggregatorRegistry.setRegistries(registry);
      new AggregatorRegistry();
    },
    watchAnswers: answers => registerReadings(registry, ANSWER_READINGS, answers),
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type Observe = (seconds: number) => void;

/** Records durations by route and status, because refusals and 304s would otherwise hide those of other responses. */
class Durations {
  #histogram: Histogram;
  /** Cached by labels, because looking up an observer takes longer than the rest. */
  #observers = new Map<string, Map<number | 'aborted', Observe>>();

  constructor(registry: Registry) {
    this.#histogram = new Histogram({
      name: 'sightline_request_duration_seconds',
      help: 'Seconds from the head of a request to the end of its response.',
      labelNames: ['route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  observe(route: string, status: number | 'aborted', seconds: number): void {
    const observe = this.#observers.get(route)?.get(status) ?? this.#add(route, status);
    observe(seconds);
  }

  #add(route: string, status: number | 'aborted'): Observe {
    const { observe } = this.#histogram.labels(route, String(status));
    const ofRoute = this.#observers.get(route) ?? new Map<number | 'aborted', Observe>();
    this.#observers.set(route, ofRoute.set(status, observe));
    return observe;
  }
}
