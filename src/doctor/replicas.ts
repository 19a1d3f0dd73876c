import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Database } from '../../sql/client.ts';
import { type Position, readPosition } from '../../sql/servers/position.ts';
import type { Config } from '../config.ts';
import { preflight, Unserviceable } from '../preflight.ts';
import { type Diagnosis, fault, good } from './finding.ts';
import { unreachable } from './unreachable.ts';

const SETTING = 'DATABASE_READ_URL';

/** The interval between checks of a lagging replica, in milliseconds. */
const LOOK_INTERVAL = 50;

/** @param primary undefined if it is unreachable */
export function checkReplicas(primary: Database | undefined, config: Config): Promise<Diagnosis[]> {
  const { urls } = config.replicas;
  return Promise.all(urls.map((url, index) => checkReplica(`replica-${index + 1}`, url, primary, config)));
}

async function checkReplica(
  name: string,
  url: string,
  primary: Database | undefined,
  { database: settings, replicas: { maxLag } }: Config,
): Promise<Diagnosis> {
  const replica = connect({ ...settings, url, poolSize: 1 });
  try {
    const position = await readPosition(replica);
    await preflight(replica, settings.role);
    const target = primary && (await readPosition(primary));
    return checkPosition(name, position, target) ?? (await checkLag(name, replica, target, maxLag));
  } catch (error) {
    if (!(error instanceof Unserviceable)) return unreachable(name, error, SETTING);
    return fault(name, error.problem, error.remedy ?? `correct ${SETTING}`);
  } finally {
    await replica.end();
  }
}

function checkPosition(name: string, own: Position, primary: Position | undefined): Diagnosis | undefined {
  if (primary && own.system !== primary.system) {
    return fault(name, 'it holds other data than the primary', `name standbys of DATABASE_URL in ${SETTING}`);
  }
  if (own.isStandby) return undefined;
  return fault(
    name,
    'it does not follow another server',
    `point DATABASE_URL at it, or make it a standby again`,
  );
}

/** The replica is close enough if it soon reaches the current state of the primary. */
async function checkLag(
  name: string,
  replica: Database,
  primary: Position | undefined,
  maxLag: number,
): Promise<Diagnosis> {
  if (!primary) return good(name, 'it answers');
  const begin = performance.now();
  for (;;) {
    const behind = primary.bytes - (await readPosition(replica)).bytes;
    if (behind <= 0) return good(name, `it is at most ${Math.round(performance.now() - begin)} ms behind`);
    if (performance.now() - begin > maxLag) {
      return fault(
        name,
        `it is more than DATABASE_READ_MAX_LAG behind (${maxLag} ms, ${behind} bytes)`,
        'check pg_stat_replication of the primary, and the disk, network and load of the standby',
      );
    }
    await sleep(LOOK_INTERVAL);
  }
}
