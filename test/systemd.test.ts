import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSettings, SECRET_SETTINGS } from '../src/config.ts';
import { sightlineHere } from './support/sightline.ts';

const UNITS = 'packaging/systemd';
/** The most that `systemd-analyze security` may find: 0 is nothing, 10 everything. */
const MOST_EXPOSED = 1.5;

const services = readdirSync(UNITS).filter(name => name.endsWith('.service'));
const timers = readdirSync(UNITS).filter(name => name.endsWith('.timer'));
const read = (name: string) => readFileSync(join(UNITS, name), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasSystemd) {
  process.stderr.write(
    'skipped: systemd has not looked at the units: systemd-analyze is not installed here\n',
  );
}

describe('a unit of systemd', () => {
  it.each(services)('%s runs a command that there is, with settings that there are', async name => {
    const [, command] = /^ExecStart=\/usr\/bin\/node .*\/bin\/sightline\.js (\w+)/m.exec(read(name)) ?? [];
    expect((await sightlineHere([command!, '--help'], {})).code).toBe(0);
    const known = [
      ...describeSettings().map(({ name }) => name),
      ...SECRET_SETTINGS.map(name => `${name}_FILE`),
      // For the C library.
      'MALLOC_ARENA_MAX',
    ];
    const given = [...read(name).matchAll(/^Environment=(\w+)=/gm)].map(([, setting]) => setting);
    expect(given.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(given));
  });

  it.each(services)('%s names no home by %%h, which is that of root whatever its user is', name => {
    expect(read(name)).not.toMatch(/%h/);
  });

  it('of the collector and one of its importer run as one user, whom people can be and who shares nothing', () => {
    const [collect, spool] = ['sightline-collect.service', 'sightline-spool.service'].map(read);
    const userOf = (text: string) => /^User=(.*)$/m.exec(text)?.[1];
    expect(userOf(spool!)).toBe(userOf(collect!));
    expect(readFileSync('docs/collecting.md', 'utf8')).toContain(`runuser -u ${userOf(collect!)} -- env -i `);
    for (const text of [collect, spool]) {
      // The folder of a dynamic user lies in /var/lib/private, where root alone may go.
      expect(text).not.toMatch(/^DynamicUser=yes$/m);
      // The importer takes no file from a folder that a group may write into.
      expect(text).toMatch(/^UMask=0077$/m);
    }
  });

  it.each(timers)('%s starts a service that there is, and is on record when the machine was off', name => {
    expect(services).toContain(name.replace(/timer$/, 'service'));
    expect(read(name)).toMatch(/^Persistent=true$/m);
  });
});

describe.runIf(hasSystemd)('systemd', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-units-'));
    cpSync(UNITS, folder, { recursive: true });
    // Programs of the machine that the units are for.
    for (const name of services) {
      const text = read(name).replace(/\/usr\/bin\/(mbsync|node)\b/g, '/bin/true');
      writeFileSync(join(folder, name), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('takes every unit without a warning', () => {
    const paths = readdirSync(folder).map(name => join(folder, name));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    expect(stderr.split('\n').filter(line => line.includes('sightline'))).toEqual([]);
  });

  it.each(services)(`finds %s exposed by at most ${MOST_EXPOSED} of 10`, name => {
    const args = ['security', '--offline=true', '--no-pager', join(folder, name)];
    const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, found] = /exposure level for .*: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(found)).toBeLessThanOrEqual(MOST_EXPOSED);
  });
});
