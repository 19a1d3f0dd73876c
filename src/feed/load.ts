import { type FeedSource, RereadableSource } from '@sightline/feed/read/sources';
import type { CommandConnection } from '@sightline/postgres';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { LoadSession } from '../../sql/feed/session.ts';
import { noteRun } from '../../sql/operator/last-run.ts';
import { FeedLoad } from './feed-load.ts';
import { type LoadOptions, LoadRefused, type LoadSummary, TooManyCounted } from './options.ts';

export type { Counts, LoadProgress } from './options.ts';
export type { LoadOptions, LoadSummary };
export { LoadRefused, TooManyCounted };

/** The database went away, and with it all that was to be loaded. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';

  constructor() {
    super('The connection to the database was lost: nothing was loaded');
  }
}

/**
 * Loads the sources, one after the other, in one transaction: all of it or nothing.
 * @param sql a connection of the operator that nothing else uses meanwhile
 * @throws {LoadRefused} when lines are bad and `rejects` does not take them
 * @throws {AnnouncementFailed} when the services cannot be told
 * @throws {NotEverywhere} when it is committed, and a server of several does not say so
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
      if (!(await session.rollback())) throw new ConnectionLost();
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
    throw isThere ? error : new ConnectionLost();
  } finally {
    await Promise.all(rereadable.map(source => source.close()));
  }
}
