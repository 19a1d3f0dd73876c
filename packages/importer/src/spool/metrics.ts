import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The metrics of the process that watches a folder. */
export interface SpoolMetrics {
  /** Returns all metrics in Prometheus' text format. */
  print(): Promise<string>;
  readonly contentType: string;
  /**
   * Records the oldest waiting file.
   * @param modified its modification time in milliseconds since 1970; undefined if no file is waiting
   */
  waiting(modified: number | undefined): void;
  /**
   * Records a scan of the folder.
   * @param isWhole false if the scan failed and will be retried
   */
  examined(isWhole: boolean): void;
  recorded(records: Readonly<Record<string, number>>): void;
  /**
   * Records a processed file.
   * @param skipped number of parts that could not be read
   */
  finished(outcome: 'done' | 'failed', skipped: number): void;
}

export function createSpoolMetrics(): SpoolMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const files = counter('sightline_spool_files_total', 'Imported files by outcome.', 'outcome');
  const records = counter('sightline_spool_records_total', 'Imported records by kind or type.', 'kind');
  const skipped = counter('sightline_spool_skipped_total', 'Parts of files that could not be read.');
  const failures = counter(
    'sightline_spool_failed_looks_total',
    'Scans of the folder that must be repeated.',
  );
  let oldest: number | undefined;
  new Gauge({
    name: 'sightline_spool_oldest_file_age_seconds',
    help: 'Seconds since the last change of the oldest waiting file; 0 if none waits.',
    registers,
    collect() {
      this.set(oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest) / 1000));
    },
  });

  return {
    waiting(modified) {
      oldest = modified;
    },
    examined(isWhole) {
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
