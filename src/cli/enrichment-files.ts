import { readFile } from 'node:fs/promises';
import { AddressDatabase } from '../enrich/address-database.ts';
import { Enricher } from '../enrich/enricher.ts';
import { SenderNames } from '../enrich/sender-names.ts';
import type { EnrichmentFiles } from '../enrich/settings.ts';
import { CommandFailed } from './failure.ts';

/**
 * Reads what reports are enriched by. Undefined where no file is named.
 * @throws {CommandFailed} with the path of a file that cannot be read, or is of another form
 */
export async function readEnricher({ asn, country, names }: EnrichmentFiles): Promise<Enricher | undefined> {
  if (asn === undefined && country === undefined && names === undefined) return undefined;
  const databases = [];
  for (const path of [asn, country])
    if (path !== undefined) databases.push(await read(path, content => new AddressDatabase(content)));
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
