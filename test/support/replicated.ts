import type { ReadSettings } from '../../sql/client.ts';
import { createDatabase } from './database.ts';
import { connectOperator } from './operator.ts';

/** A server's answers about its replication. */
export interface ReplicationFacts {
  isStandby: boolean;
  /** The end of its WAL, or of the replayed part of it, such as `0/64`. */
  wal: string;
  timeline: string;
  system: string;
  /** Seconds until it answers. */
  delay: number;
  /** The message of the error that it answers with instead; '' for none. */
  failure: string;
}

/** Servers of a primary and its standbys, which are one database that answers differently under each address. */
export interface ReplicatedServers extends AsyncDisposable {
  /** The settings for the server with this name. */
  read(name: string): ReadSettings;
  /** Changes what a server answers. */
  set(name: string, facts: Partial<ReplicationFacts>): Promise<void>;
}

/** Functions that hide those of PostgreSQL, since `search_path` names their schema first. */
const FUNCTIONS = `
  create schema faked;
  create table faked.server (name text primary key, is_standby boolean not null default false, wal pg_lsn not null default '0/64',
    timeline text not null default '00000001', system text not null default 'one', delay float not null default 0,
    failure text not null default '');
  create function faked.own() returns faked.server language sql stable
    as $$ select s from faked.server s where name = current_setting('faked.name') $$;
  create function faked.pg_is_in_recovery() returns boolean language plpgsql volatile as $$ begin
    perform pg_sleep((faked.own()).delay);
    if (faked.own()).failure <> '' then raise exception using message = (faked.own()).failure; end if;
    return (faked.own()).is_standby; end $$;
  create function faked.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select (faked.own()).wal';
  create function faked.pg_current_wal_flush_lsn() returns pg_lsn language sql as 'select (faked.own()).wal';
  create function faked.pg_walfile_name(pg_lsn) returns text language sql
    as $$ select (faked.own()).timeline || '0000000000000001' $$;
  create function faked.pg_control_system(out system_identifier text) language sql as 'select (faked.own()).system'`;

const COLUMNS: Readonly<Record<keyof ReplicationFacts, string>> = {
  isStandby: 'is_standby',
  wal: 'wal',
  timeline: 'timeline',
  system: 'system',
  delay: 'delay',
  failure: 'failure',
};

/** @param names of the servers, all of which have answered nothing yet */
export async function createReplicatedServers(names: readonly string[]): Promise<ReplicatedServers> {
  const database = await createDatabase();
  const sql = connectOperator(database.directUrl);
  await sql.query(FUNCTIONS);
  await sql.query('insert into faked.server (name) select unnest($1::text[])', [names]);
  return {
    read(name) {
      const url = new URL(database.directUrl);
      url.searchParams.set('options', `-c search_path=faked,pg_catalog,public -c faked.name=${name}`);
      return {
        ...{ url: url.href.replaceAll('+', '%20'), prepare: true, role: '', poolSize: 1 },
        ...{ statementTimeout: 60_000, queueTimeout: 60_000, queueLimit: 10 },
      };
    },
    async set(name, facts) {
      const entries = Object.entries(facts) as [keyof ReplicationFacts, string | number | boolean][];
      const assignments = entries.map(([fact], index) => `${COLUMNS[fact]} = $${index + 2}`);
      const values = entries.map(([, value]) => value);
      await sql.query(`update faked.server set ${assignments.join(', ')} where name = $1`, [name, ...values]);
    },
    async [Symbol.asyncDispose]() {
      await sql.end();
      await database.drop();
    },
  };
}
