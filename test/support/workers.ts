import { isDistributed } from '../../sql/operator/distribute.ts';
import { connectOperator, type Operator } from './operator.ts';

/** Makes several servers a Citus coordinator and its workers, in a database of the same name on each. */

/** The connection URLs of the administrators of a coordinator's workers; none if the server is not a coordinator. */
export async function listWorkers(coordinatorUrl: string): Promise<string[]> {
  return administer(coordinatorUrl, async sql => {
    if (!(await isDistributed(sql))) return [];
    const rows = await sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node
      where groupid <> 0 and noderole = 'primary' order by nodeid`;
    return rows.map(({ host, port }) => {
      const url = new URL(coordinatorUrl);
      url.hostname = host;
      url.port = String(port);
      return url.href;
    });
  });
}

/** From now on, distributed tables can be stored on the workers. Does nothing without workers. */
export async function joinWorkers(coordinatorUrl: string, workerUrls: readonly string[]): Promise<void> {
  if (workerUrls.length === 0) return;
  const urls = [coordinatorUrl, ...workerUrls];
  await Promise.all(urls.map(url => administer(url, sql => sql`create extension citus`)));
  const [coordinator, ...workers] = urls.map(findPlace) as [Place, ...Place[]];
  await administer(coordinatorUrl, async sql => {
    await sql`select citus_set_coordinator_host(${coordinator.host}, ${coordinator.port})`;
    await sql`select citus_set_node_property(${coordinator.host}, ${coordinator.port}, 'shouldhaveshards', false)`;
    for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port})`;
  });
}

interface Place {
  host: string;
  port: number;
}

function findPlace(url: string): Place {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 5432) };
}

async function administer<Result>(
  url: string,
  work: (sql: Operator) => PromiseLike<Result>,
): Promise<Result> {
  const sql = connectOperator(url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
