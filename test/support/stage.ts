import { setTimeout as sleep } from 'node:timers/promises';
import { NOW } from './fixtures.ts';
import type { Stage } from './histories.ts';
import { startService, type TestService } from './service.ts';
import type { Standby } from './standby.ts';

export interface ServiceOnStage extends Stage {
  close(): Promise<void>;
}

/** The delay of a standby in milliseconds. */
const LAG = 100;

/** One service that reads from the database, and one that reads from its standby, if there is one. */
export async function stageOn(databaseUrl: string, standby?: Standby): Promise<ServiceOnStage> {
  const servers = standby ? [databaseUrl, standby.url] : [databaseUrl];
  let now = NOW;
  const start = () => Promise.all(servers.map(url => startService({ databaseUrl: url, now, mayFail: true })));
  let services: TestService[] = await start();
  const close = async () => {
    await Promise.all(services.map(service => service.close()));
  };
  return {
    databaseUrl,
    urls: () => services.map(({ url }) => url),
    async restart() {
      await close();
      services = await start();
    },
    setNow(instant) {
      now = instant;
      for (const service of services) service.setNow(instant);
    },
    async lag() {
      if (!standby) return;
      await standby.sql`select pg_wal_replay_pause()`;
      await sleep(LAG);
      await standby.sql`select pg_wal_replay_resume()`;
    },
    async caughtUp() {
      await standby?.untilCaughtUp();
    },
    close,
  };
}
