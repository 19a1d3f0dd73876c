import { expect, it } from 'vitest';
import { importBytes } from './reports.ts';

it.each([1, 2, 3])('%i unreadable certificates in a file are named by their number', async count => {
  const block = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
  const { skipped } = await importBytes(block.repeat(count), { format: 'certificate' });
  const places = skipped.map(text => /^file(?:, certificate \d)?(?= )/.exec(text)?.[0]);
  const numbered = Array.from({ length: count }, (_, index) => `file, certificate ${index + 1}`);
  expect(places).toEqual(count === 1 ? ['file'] : numbered);
});
