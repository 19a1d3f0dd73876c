import { type FeedSource, RereadableSource } from '@sightline/feed/read';
import type { CommandConnection } from '@sightline/pg-client';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { LoadSession } from '../../sql/feed/session.ts';
import { noteRun } from '../../sql/operator/last-run.ts';
import { FeedLoad } from './feed-load.ts';
import { CountOverflow, type LoadOptions, LoadRefused, type LoadSummary } from './options.ts';

export type { LineCounts as Counts, LoadProgress } from './options.ts';
export type { LoadOptions, LoadSummary };
export { CountOverflow, LoadRefused };

/** The connection was lost, so nothing was loaded. */
export class LoadConnectionLost extends Error {
  override name = 'ConnectionLost';

  constructor() {
    super('The connection to the database was lost: nothing was loaded');
  }
}

/**
 * Loads the sources in order in a single transaction.
 * @param sql an operator's connection for exclusive use
 * @throws {LoadRefused} for bad lines without `rejects`
 * @throws {AnnouncementFailed} if the services cannot be notified
 * @throws {NotEverywhere} if the commit succeeded, but one of several servers did not confirm it
 */
export async function loadFeed(
  sql: CommandConnection,
  announcer: Announcer,
  sources: readonly FeedSource[],
  options: LoadOptions = {},
): Promise<LoadSummary> {
  const summary = await commitFeed(sql, announcer, sources, options);
  if (!options.isTrial) await announcer.settle();
  return summary;
}

async function commitFeed(
  sql: CommandConnection,
  announcer: Announcer,
  sources: readonly FeedSource[],
  options: LoadOptions,
): Promise<LoadSummary> {
  const session = new LoadSession(sql);
  const rereadable = sources.map(source => new RereadableSource(source));
  const load = new FeedLoad(session, announcer, rereadable, options);
  try {
    await session.begin(options.signal, options.onWait);
    await announcer.clear();
    await options.onBegin?.(session);
    const summary = await load.run();
    if (options.isTrial) {
      if (!(await session.rollback())) throw new LoadConnectionLost();
      await announcer.giveUp();
      return summary;
    }
    await session.query(noteRun('load'));
    if (summary.hasChanged) await announcer.announce(session);
    await session.commit();
    return summary;
  } catch (error) {
    await load.settle();
    const isThere = await session.rollback();
    await announcer.giveUp();
    throw isThere ? error : new LoadConnectionLost();
  } finally {
    await Promise.all(rereadable.map(source => source.close()));
  }
}
