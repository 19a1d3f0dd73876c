import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '@sightline/embedded';
import { expect, it } from 'vitest';
import { databaseUrl } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { toAddress } from '../support/network.ts';
import { sightlineHere } from '../support/sightline.ts';

const hasPsql = spawnSync('psql', ['--version']).error === undefined;
if (!hasPsql)
  process.stderr.write('skipped: the roles of compose.yaml need psql, which is not installed here\n');

it.skipIf(!hasPsql)('the roles of compose.yaml let the service read and satisfy doctor', async () => {
  const folder = makeFolder();
  const server = await startEmbedded({ directory: folder, settings: { autovacuum: 'on' } });
  try {
    const { path = '' } = toAddress(server.url) as { path?: string };
    const password = join(folder, 'reader_password');
    writeFileSync(password, "it's \\ secret");
    const { username } = new URL(server.url);
    execFileSync('packaging/compose/roles.sh', {
      env: {
        PATH: process.env.PATH,
        PGHOST: path.replace(/\/[^/]*$/, ''),
        POSTGRES_USER: username,
        POSTGRES_DB: 'postgres',
        OWNER_PASSWORD_FILE: password,
        READER_PASSWORD_FILE: password,
        IMPORTER_PASSWORD_FILE: password,
      },
    });
    const admin = databaseUrl(server.url, 'postgres');
    const owner = admin.replace(`//${username}`, '//sightline_owner');
    for (const command of ['migrate', 'maintain'])
      expect((await sightlineHere([command], { DATABASE_URL: owner })).code).toBe(0);
    const reader = admin.replace(`//${username}`, '//sightline_web');
    const asOwner = await sightlineHere(['doctor'], { DATABASE_URL: owner });
    expect(asOwner.stdout).not.toContain('superuser');
    const { code, stdout } = await sightlineHere(['doctor'], {
      DATABASE_URL: reader,
      NODE_ENV: 'production',
      ADMIN_PORT: '9464',
    });
    expect(stdout.match(/^(?:warning|error).*$/gm)).toEqual([
      'warning  last load: no "sightline load" or "sightline import" is on record',
    ]);
    expect(code).toBe(0);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
