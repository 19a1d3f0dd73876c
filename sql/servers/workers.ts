import type { Database } from '../client.ts';

/** A worker of a distributed database that cannot be read, so some accounts are unavailable. */
export interface UnreadWorker {
  /** Host and port. */
  server: string;
  reason: string;
}

/**
 * With Citus, reads a shard of each worker as the service's role. Checking the coordinator is not sufficient: it can
 * accept a role that has no password on the workers.
 */
export async function listUnreadableWorkers(db: Database): Promise<UnreadWorker[]> {
  const [extension] = await db.rows<{ there: boolean }>(
    `select to_regclass('pg_dist_placement') is not null as there`,
    [],
  );
  if (!extension?.there) return [];
  const rows = await db.rows<UnreadWorker>(
    `with sample as (
       select distinct on (n.nodeid) n.nodename, n.nodeport, format('select 1 from report_%s limit 1', s.shardid) as look
       from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
       where s.logicalrelid = 'report'::regclass and n.noderole = 'primary'
       order by n.nodeid, s.shardid
     )
     select node_name || ':' || node_port as server, result as reason
     from master_run_on_worker(
       (select array_agg(nodename order by nodename, nodeport) from sample),
       (select array_agg(nodeport order by nodename, nodeport) from sample),
       (select array_agg(look order by nodename, nodeport) from sample), true)
     where not success`,
    [],
  );
  return [...rows];
}
