import type { EnrichmentFiles } from '@sightline/importer/enrich';
import { Enricher, ReverseNames } from '@sightline/importer/enrich';
import { print, StepMeter } from '@sightline/tools';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import {
  changeReports,
  type NetworkType,
  type ReportChange,
  type StoredReport,
} from '../../sql/maintenance/mail.ts';
import { readConfig } from '../config.ts';
import { type CommandContext, withOperator } from './context.ts';
import { readEnricher } from './enrichment-files.ts';

interface Options extends EnrichmentFiles {
  reverseDns?: true;
  resolver?: string;
}

/** Fills in empty network fields of stored reports. */
export function enrichCommand(context: CommandContext): Command {
  return new Command('enrich')
    .description('fill in organisations, networks, countries and host names that reports leave empty')
    .option('--asn <file>', 'networks and their organisations (MMDB); default: ENRICH_ASN')
    .option('--country <file>', 'networks and their countries (MMDB); default: ENRICH_COUNTRY')
    .option('--names <file>', "names of senders (CSV, as parsedmarc's map); default: ENRICH_NAMES")
    .option('--reverse-dns', 'also look up the host names of senders in DNS')
    .option('--resolver <address>', "the DNS server to ask; default: the system's")
    .addHelpText(
      'after',
      '\nValues in reports are not changed. Imports use the files in the settings automatically.',
    )
    .addHelpText('after', '\nExample:\n  sightline enrich --asn dbip-asn-lite.mmdb --reverse-dns')
    .action(async (given: Options, command: Command) => {
      const { enrich: settings } = readConfig();
      const files = { ...settings, ...given };
      const enricher = (await readEnricher(files)) ?? new Enricher({ databases: [] });
      const hosts = given.reverseDns ? new ReverseNames(given.resolver) : undefined;
      const empty = emptyFields(files, hosts !== undefined);
      if (empty.length === 0) command.error('error: name a file, or give --reverse-dns');
      const meter = new StepMeter(process.stderr);
      const [mail, errors] = await withOperator(context, sql =>
        withOperator(context, async second => {
          const announcer = new Announcer(second);
          const fill = (type: NetworkType, fields: readonly string[]) =>
            changeReports(sql, announcer, { type, condition: fields.join(' or ') }, rows =>
              listChanges(type, rows, enricher, hosts),
            );
          meter.begin('Filling in DMARC reports');
          const mail = await fill('dmarc', empty);
          meter.begin('Filling in NEL reports');
          return [mail, await fill('nel', [EMPTY.organisation])];
        }),
      ).finally(() => meter.clear());
      print(`Filled in ${mail} DMARC and ${errors} NEL reports.`);
    });
}

const EMPTY = {
  organisation: "coalesce(organisation, '') = ''",
  asn: "coalesce(extra->>'asn', '') = ''",
  country: "coalesce(extra->>'country', '') = ''",
  host: "coalesce(extra->>'sourceHostname', '') = ''",
};

/** Returns conditions that select DMARC reports with fields to fill in. */
function emptyFields({ asn, country, names }: EnrichmentFiles, asksDns: boolean): string[] {
  return [
    ...(asn !== undefined ? [EMPTY.organisation, EMPTY.asn] : []),
    ...(names !== undefined ? [EMPTY.organisation] : []),
    ...(country !== undefined ? [EMPTY.country] : []),
    ...(asksDns ? [EMPTY.host] : []),
  ];
}

async function listChanges(
  type: NetworkType,
  rows: readonly StoredReport[],
  enricher: Enricher,
  hosts: ReverseNames | undefined,
): Promise<(ReportChange | undefined)[]> {
  const isNameless = ({ extra }: StoredReport) => type === 'dmarc' && !extra?.sourceHostname;
  const names = await hosts?.find(rows.filter(isNameless).map(toAddress));
  return rows.map(row => {
    const host = isNameless(row) ? names?.get(toAddress(row)) : undefined;
    const found = host === undefined ? {} : { sourceHostname: host };
    const added = enricher.missing(type, { ...row.extra, organisation: row.organisation, ...found });
    const { organisation, ...extra } = { ...found, ...added };
    if (organisation === undefined && Object.keys(extra).length === 0) return undefined;
    return { ...(organisation !== undefined && { organisation }), extra };
  });
}

function toAddress({ extra }: StoredReport): string {
  return String(extra?.sourceIp ?? '');
}
