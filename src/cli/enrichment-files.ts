import { readFile } from 'node:fs/promises';
import type { EnrichmentFiles } from '@sightline/importer/enrich';
import { AddressDatabase, Enricher, SenderNames } from '@sightline/importer/enrich';
import { CommandFailed } from '@sightline/tools';

/**
 * Reads the sources for enriching reports. Returns undefined if no file is configured.
 * @throws {CommandFailed} with the path of a file that is unreadable or of another format
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
  const existing =
    names === undefined ? undefined : await read(names, content => new SenderNames(String(content)));
  return new Enricher({ databases, names: existing });
}

async function read<Made>(path: string, make: (content: Buffer) => Made): Promise<Made> {
  try {
    return make(await readFile(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(`${path} cannot be read: ${code ?? message}`);
  }
}
