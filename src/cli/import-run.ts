import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Announcer } from '../../sql/changes/announcer.ts';
import type { ReportType } from '../../sql/report/types.ts';
import type { BadLineReport } from '../feed/check/bad-lines.ts';
import { loadFeed } from '../feed/load.ts';
import type { Finding, Skipped } from '../import/finding.ts';
import { importItem } from '../import/import.ts';
import { createContext, type ImportContext, type ImportOptions } from '../import/item.ts';
import { type CommandContext, withOperator } from './context.ts';
import { CommandFailed } from './failure.ts';
import { filesBelow, standardInput } from './import-files.ts';
import { Tally } from './import-tally.ts';
import { LoadMeter } from './load-meter.ts';
import { onOneLine, say } from './output.ts';

export interface ImportRun {
  paths: readonly string[];
  options: ImportOptions;
  /** The file for lines of the feed, or `-`; they are loaded where there is none. */
  toFeed: string | undefined;
  /** The file for what is skipped. */
  skipped: string | undefined;
  json: boolean;
}

/** Something was skipped, and the rest is in. */
const INCOMPLETE = 3;
const FAILED = 1;
/** Of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Of what is skipped, so much is told: all of it is counted. */
const TOLD = 100;

/** @throws {CommandFailed} where something was skipped, with the summary */
export async function runImport(database: CommandContext, run: ImportRun): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  const started = performance.now();
  const importing = new Importing(run, interruption.signal);
  try {
    await importing.prepare();
    if (run.toFeed === undefined) await loadLines(database, importing, interruption.signal);
    else await writeLines(run.toFeed, importing);
  } catch (error) {
    if (interruption.signal.aborted)
      throw new CommandFailed('Interrupted: nothing was imported.', INTERRUPTED);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    await importing.close();
  }
  conclude(importing, run.json, (performance.now() - started) / 1000);
}

function conclude({ tally, context }: Importing, json: boolean, seconds: number): void {
  const summary = json ? tally.toJson(context.counts, seconds) : tally.describe(context.counts, seconds);
  if (tally.skippedInAll === 0) say(summary);
  else throw new CommandFailed(summary, tally.found + tally.repeated > 0 ? INCOMPLETE : FAILED);
}

/** One import at work: its lines, what is told on the way, and what is counted. */
class Importing {
  readonly tally = new Tally();
  readonly context: ImportContext;
  #run: ImportRun;
  #signal: AbortSignal;
  #skippedFile: FileHandle | undefined;
  #told = 0;
  #bytes = 0;
  #meter = new LoadMeter(process.stderr);

  constructor(run: ImportRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
    this.context = createContext(run.options);
  }

  /** Opened at once: an import of an hour must not end with a file that cannot be written. */
  async prepare(): Promise<void> {
    const { skipped } = this.#run;
    if (skipped !== undefined) this.#skippedFile = await openPrivate(skipped);
  }

  /** Lines of the feed, many at once. */
  async *lines(): AsyncGenerator<string> {
    for (const path of this.#run.paths) {
      for await (const item of this.#itemsOf(path)) {
        for await (const findings of importItem(item, this.context)) {
          const text = await this.#take(findings);
          if (text !== '') yield text;
        }
      }
    }
  }

  /** Lines that were found, and then refused. */
  async refuse(lines: readonly Buffer[], reasons: readonly BadLineReport[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      // A long one is cut: these stand at its begin.
      const [, type = '', id = ''] =
        /"type":"(\w+)","id":"([\w-]+)"/.exec(line.toString('latin1', 0, 1024)) ?? [];
      const { field = '', reason = '' } = reasons[index] ?? {};
      this.tally.remove(type as ReportType);
      const detail = `${field} ${reason}`.trim();
      await this.#skip([
        { kind: 'skipped', place: `${type} ${id}`, reason: 'is refused by the feed', detail },
      ]);
    }
  }

  async close(): Promise<void> {
    this.#meter.clear();
    await this.#skippedFile?.close();
    const untold = this.tally.skippedInAll - this.#told;
    if (untold > 0) say(`… and ${untold} more`);
  }

  #itemsOf(path: string) {
    const count = (bytes: number) => {
      this.#bytes += bytes;
    };
    return path === '-' ? [standardInput(Date.now(), count)] : filesBelow(path, count);
  }

  async #take(findings: readonly Finding[]): Promise<string> {
    // Signals come between two turns of the loop.
    await setImmediate();
    this.#signal.throwIfAborted();
    this.tally.add(findings);
    await this.#skip(findings.filter(finding => finding.kind === 'skipped'));
    const { items } = this.context.counts;
    this.#meter.show(seconds => describeProgress(items, this.#bytes, seconds));
    return findings.map(finding => (finding.kind === 'line' ? `${finding.text}\n` : '')).join('');
  }

  async #skip(skipped: readonly Skipped[]): Promise<void> {
    for (const item of skipped) {
      this.tally.skip(item);
      this.#tell(item);
    }
    if (skipped.length > 0)
      await this.#skippedFile?.write(skipped.map(item => `${JSON.stringify(item)}\n`).join(''));
  }

  #tell({ place, reason, detail }: Skipped): void {
    if (this.#told === TOLD) return;
    this.#told++;
    this.#meter.clear();
    say(onOneLine(`${place} ${reason}${detail && `: ${detail}`}`));
  }
}

function describeProgress(items: number, bytes: number, seconds: number): string {
  const rate = seconds > 0 ? Math.round(items / seconds) : 0;
  return `${items} items, ${(bytes / 1e6).toFixed(1)} MB, ${rate} items a second`;
}

/** What only the database can refuse, such as more new months than one load may have, is skipped, too. */
async function loadLines(database: CommandContext, importing: Importing, signal: AbortSignal): Promise<void> {
  const { accountId } = importing.context;
  const refused: Buffer[] = [];
  const { badLines } = await withOperator(database, async sql => {
    const [account] = await sql`select from account where id = ${accountId}`;
    if (!account) throw new CommandFailed(`There is no account "${accountId}": nothing was imported.`);
    return withOperator(database, second =>
      loadFeed(sql, new Announcer(second), [{ name: 'import', content: importing.lines() }], {
        signal,
        onWait: () => say('Another load is at work: waiting for it.'),
        rejects: bytes => refused.push(Buffer.from(bytes)),
      }),
    );
  });
  await importing.refuse(refused, badLines);
}

async function writeLines(path: string, importing: Importing): Promise<void> {
  const lines = Readable.from(importing.lines(), { highWaterMark: 2 });
  if (path === '-') {
    await pipeline(lines, process.stdout, { end: false }).catch(error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    });
    return;
  }
  // Half a file is never there under its name.
  const partial = `${path}.partial`;
  const file = await openPrivate(partial);
  try {
    await pipeline(lines, file.createWriteStream());
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function openPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600);
  } catch (error) {
    throw new CommandFailed(`${path} cannot be written: ${(error as Error).message}`);
  }
}
