import { readFile } from 'node:fs/promises';
import { Enricher } from '@sightline/import/enrich';
import { AddressDatabase } from '@sightline/import/enrich/address-database';
import { SenderNames } from '@sightline/import/enrich/sender-names';
import type { EnrichmentFiles } from '@sightline/import/enrich/settings';
import { CommandFailed } from '@sightline/terminal/failure';

/**
 * Reads what reports are enriched by. Undefined where no file is named.
 * @throws {CommandFailed} with the path of a file that cannot be read, or is of another form
 */
export async function readEnricher({ asn, country, names }: EnrichmentFiles): Promise<Enricher | undefined> {
  if (asn === undefined && country === undefined && names === undefined) return undefined;
  const databases = [];
  for (const [path, kind] of [
    [asn, 'organisations'],
    [country, 'countries'],
  ] as const)
    if (path !== undefined)
      databases.push(await read(path, content => new AddressDatabase(content, path, kind)));
  const known =
    names === undefined ? undefined : await read(names, content => new SenderNames(String(content)));
  return new Enricher({ databases, names: known });
}

async function read<Made>(path: string, make: (content: Buffer) => Made): Promise<Made> {
  try {
    return make(await readFile(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(`${path} cannot be read: ${code ?? message}`);
  }
}
