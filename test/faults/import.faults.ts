import { readLine } from '@sightline/feed';
import { describe, expect, it } from 'vitest';
import { importFiles } from '../../packages/demo/src/import/write.ts';
import { importBytes } from '../../packages/importer/test/reports.ts';

/** A small random number generator with a seed, so that failures can be reproduced. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutated(bytes: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * bytes.length);
  const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 3 * 200));
  switch (Math.floor(random() * 6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at, end), bytes.subarray(end)]);
    case 3: {
      const strange = ['\0', '\ud800', '<', '{', '"', '\\', '\n', '--', '9'.repeat(30), '\u202e'];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(strange[Math.floor(random() * 10)]!),
        bytes.subarray(at),
      ]);
    }
    default: {
      const copy = Buffer.from(bytes);
      for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
        copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      }
      return copy;
    }
  }
}

const MUTATIONS = 20_000;

describe('mutated files of every format', () => {
  it(`yield valid records or a message, for ${MUTATIONS} mutations`, {
    timeout: 900_000,
  }, async () => {
    const files = importFiles(new Date().toISOString().slice(0, 10));
    const random = numbers(20_261_122);
    const found = { records: 0, skipped: 0 };
    let slowest = 0;
    for (let turn = 0; turn < MUTATIONS; turn++) {
      const { path, content } = files[turn % files.length]!;
      const bytes = mutated(Buffer.from(content), random);
      const begin = performance.now();
      const { records, certificates, skipped } = await importBytes(bytes).catch(error => {
        throw new Error(`mutation ${turn} of ${path}: ${error}`, { cause: error });
      });
      slowest = Math.max(slowest, performance.now() - begin);
      for (const record of [...records, ...certificates]) readLine(JSON.stringify(record));
      found.records += records.length;
      found.skipped += skipped.length;
    }
    expect(found.records).toBeGreaterThan(MUTATIONS / 4);
    expect(found.skipped).toBeGreaterThan(MUTATIONS / 20);
    expect(slowest).toBeLessThan(1000);
  });
});
