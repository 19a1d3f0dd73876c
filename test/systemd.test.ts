import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { END_LIMIT } from '../src/cli/collect.ts';
import { describeSettings, SECRET_SETTINGS } from '../src/config.ts';
import { sightlineHere } from './support/sightline.ts';

const UNITS = 'packaging/systemd';
/** The highest exposure that `systemd-analyze security` may report, from 0 (none) to 10. */
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

describe('a systemd unit', () => {
  it.each(services)('%s runs an existing command with existing settings', async name => {
    const [, command] = /^ExecStart=\/usr\/bin\/node .*\/bin\/sightline\.js (\w+)/m.exec(read(name)) ?? [];
    expect((await sightlineHere([command!, '--help'], {})).code).toBe(0);
    const existing = [
      ...describeSettings().map(({ name }) => name),
      ...SECRET_SETTINGS.map(name => `${name}_FILE`),
      // For the C library.
      'MALLOC_ARENA_MAX',
    ];
    const given = [...read(name).matchAll(/^Environment=(\w+)=/gm)].map(([, setting]) => setting);
    expect(given.length).toBeGreaterThan(0);
    expect(existing).toEqual(expect.arrayContaining(given));
  });

  const exposed = services.filter(name => /import|spool|collect|sightline\.service/.test(name));
  it.each(exposed)('%s, which is exposed to untrusted input, has a memory limit', name => {
    expect(read(name)).toMatch(/^MemoryMax=\d+[MG]$/m);
  });

  it.each(services)('%s does not use %%h, which is the home of root for any user', name => {
    expect(read(name)).not.toMatch(/%h/);
  });

  it('of the collector shares a static user and private files with the unit of its importer', () => {
    const [collect, spool] = ['sightline-collect.service', 'sightline-spool.service'].map(read);
    const getUser = (text: string) => /^User=(.*)$/m.exec(text)?.[1];
    expect(getUser(spool!)).toBe(getUser(collect!));
    expect(readFileSync('docs/collecting.md', 'utf8')).toContain(
      `runuser -u ${getUser(collect!)} -- env -i `,
    );
    for (const text of [collect, spool]) {
      // The folder of a dynamic user is in /var/lib/private, which only root can enter.
      expect(text).not.toMatch(/^DynamicUser=yes$/m);
      // The importer reads no files from a folder that its group can write to.
      expect(text).toMatch(/^UMask=0077$/m);
    }
  });

  it('of the collector kills it only after the documented time for its end', () => {
    const documented = /SIGTERM loses none, and\s+takes at most (\d+) s/.exec(
      readFileSync('docs/collecting.md', 'utf8'),
    );
    expect(END_LIMIT).toBe(Number(documented?.[1]) * 1000);
    const [, kill] = /^TimeoutStopSec=(\d+)$/m.exec(read('sightline-collect.service')) ?? [];
    expect(Number(kill) * 1000).toBeGreaterThan(END_LIMIT);
  });

  it.each(timers)('%s starts an existing service and catches up after the machine was off', name => {
    expect(services).toContain(name.replace(/timer$/, 'service'));
    expect(read(name)).toMatch(/^Persistent=true$/m);
  });
});

describe.runIf(hasSystemd)('systemd', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-units-'));
    cpSync(UNITS, folder, { recursive: true });
    // Replaces the programs of the machine for which the units were written.
    for (const name of services) {
      const text = read(name).replace(/\/usr\/bin\/(node)\b/g, '/bin/true');
      writeFileSync(join(folder, name), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('accepts every unit without a warning', () => {
    const paths = readdirSync(folder).map(name => join(folder, name));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    expect(stderr.split('\n').filter(line => line.includes('sightline'))).toEqual([]);
  });

  it.each(services)(`rates the exposure of %s as at most ${MOST_EXPOSED} of 10`, { tags: 'slow' }, name => {
    const args = ['security', '--offline=true', '--no-pager', join(folder, name)];
    const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, found] = /exposure level for .*: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(found)).toBeLessThanOrEqual(MOST_EXPOSED);
  });
});
