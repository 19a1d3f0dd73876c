import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import type { KeyKind } from '../../src/keys/format.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { guardKey } from './canary.ts';
import { personal, plan } from './fixtures.ts';
import { connectOperator, type Operator } from './operator.ts';

/** The operator's access to a database, for tests that run the service in a separate process. */
export interface Stock {
  sql: Operator;
  /** Creates a personal account on a business plan, with reports, and returns a key of it. */
  account(id: string): Promise<string>;
  key(kind: KeyKind, accountId: string): Promise<string>;
  close(): Promise<void>;
}

export function openStock(databaseUrl: string): Stock {
  const sql = connectOperator(databaseUrl);
  const key = async (kind: KeyKind, accountId: string) =>
    guardKey((await issueKey(sql, kind, { accountId, name: null, expiresAt: null })).key);
  return {
    sql,
    key,
    async account(id) {
      const text = [personal(id), plan(id)].map(line => `${JSON.stringify(line)}\n`).join('');
      await loadFeed(sql, new Announcer(sql, 0), [{ name: 'test', content: [text] }]);
      return key('personal', id);
    },
    close: () => sql.end(),
  };
}
