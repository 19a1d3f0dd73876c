import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The metrics of a watcher of a folder, as `serve` has those of requests. */
export interface SpoolMetrics {
  /** All of them, in Prometheus' text form. */
  print(): Promise<string>;
  readonly contentType: string;
  /** @param modified when the oldest file that waits has changed last, in milliseconds; undefined where none waits */
  waiting(modified: number | undefined): void;
  /** The folder was looked at. @param isWhole whether nothing has to be tried again */
  looked(isWhole: boolean): void;
  recorded(records: Readonly<Record<string, number>>): void;
  /** @param skipped parts that could not be read */
  finished(outcome: 'done' | 'failed', skipped: number): void;
}

export function createSpoolMetrics(): SpoolMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const files = counter(
    'sightline_spool_files_total',
    'Files that were taken, by what became of them.',
    'outcome',
  );
  const records = counter('sightline_spool_records_total', 'Records that came in, by kind or type.', 'kind');
  const skipped = counter('sightline_spool_skipped_total', 'Parts of files that could not be read.');
  const failures = counter(
    'sightline_spool_failed_looks_total',
    'Looks at the folder that have to be made again.',
  );
  let oldest: number | undefined;
  new Gauge({
    name: 'sightline_spool_oldest_file_age_seconds',
    help: 'Since the last change of the oldest file that waits; 0 where none does.',
    registers,
    collect() {
      this.set(oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest) / 1000));
    },
  });

  return {
    waiting(modified) {
      oldest = modified;
    },
    looked(isWhole) {
      if (!isWhole) failures.inc();
    },
    recorded(found) {
      for (const [kind, count] of Object.entries(found)) if (count > 0) records.inc({ kind }, count);
    },
    finished(outcome, parts) {
      files.inc({ outcome });
      skipped.inc(parts);
    },
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
