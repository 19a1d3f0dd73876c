import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type DatabaseClient } from '../../sql/client.ts';
import { createBareDatabase, type TestDatabase } from '../support/database.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { freePort } from '../support/network.ts';
import { isPooled } from '../support/pooler.ts';

let database: TestDatabase;
let proxy: FaultProxy;
let client: DatabaseClient | undefined;

beforeEach(async () => {
  database = await createBareDatabase();
  proxy = await FaultProxy.start(database.url);
});

afterEach(async () => {
  await client?.end();
  await proxy.close();
  await database.drop();
});

function connectTo(url: string): DatabaseClient {
  client = connect({
    url,
    poolSize: 2,
    statementTimeout: 2000,
    queueTimeout: 500,
    queueLimit: 10,
    prepare: !isPooled(),
    role: '',
  });
  return client;
}

describe('a database address with several hosts', () => {
  it('connects to the next host if the first refuses connections', async () => {
    const database = connectTo(proxy.url.replace('@', `@127.0.0.1:${await freePort()},`));
    expect([...(await database.rows('select 1 as one', []))]).toEqual([{ one: 1 }]);
    expect(database.counters).toMatchObject({ attempts: 2, connections: 1 });
  });

  it('connects to the next host if the first does not match target_session_attrs', async () => {
    const other = await FaultProxy.start(database.url);
    const [host] = /127\.0\.0\.1:\d+/.exec(other.url)!;
    const url = proxy.url.replace('@', `@${host},`);
    const replicated = connectTo(`${url}?target_session_attrs=primary`);
    expect([...(await replicated.rows('select 1 as one', []))]).toEqual([{ one: 1 }]);
    await client!.end();
    await expect(connectTo(`${url}?target_session_attrs=standby`).rows('select 1', [])).rejects.toThrow();
    expect([other.accepted.length, proxy.accepted.length]).toEqual([2, 1]);
    await other.close();
  });
});
