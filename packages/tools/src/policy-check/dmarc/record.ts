import { InvalidPolicy, parseDmarcPolicy } from '@sightline/reports/mail';
import { UnreadableFile } from '../read.ts';

/** A DMARC record in a file. */
export interface DmarcRecord {
  /** The line number, from 1. */
  line: number;
  /** The domain of an absolute name before the record; undefined if there is none. */
  domain: string | undefined;
  text: string;
}

/** Maximum length of a record that the service accepts, in characters. */
const LONGEST_RECORD = 4096;

/** Matches the owner name, with TTL and class in any order, before the text of a TXT record. */
const OWNER = /^(\S{1,255})[\t ]+(?:\d{1,10}[smhdw]?[\t ]+)?(?:IN[\t ]+)?(?:\d{1,10}[smhdw]?[\t ]+)?TXT\s+/i;

/**
 * Reads a DMARC record: its text, its text in quoted strings, or a line of a zone file. Returns undefined for any other
 * text.
 * @throws {UnreadableFile} if receivers would misread the record; the message names the tag
 */
export function readDmarcRecord(file: string): DmarcRecord | undefined {
  const lines = file.split(/\r?\n/).map(line => (/^\s*[#;]/.test(line) ? '' : line));
  const first = lines.findIndex(line => line.trim() !== '');
  const entry = lines.join('\n').trim();
  const [prefix = '', owner] = OWNER.exec(entry) ?? [];
  const data = entry.slice(prefix.length);
  const isRecord = /^_dmarc(?:\.|$)/i.test(owner ?? '') || /^[("\s]*v\s*=\s*DMARC/i.test(data);
  if (!isRecord) return undefined;
  const isQuoted = /^[("]/.test(data);
  if (owner !== undefined && !isQuoted)
    throw new UnreadableFile('has a record without quotes: in a zone file, ";" starts a comment');
  const text = isQuoted ? joinStrings(data) : data.replace(/\s*\n\s*/g, ' ');
  checkRecord(text);
  return { line: first + 1, domain: readOwner(owner), text };
}

/**
 * Returns the domain of an owner name. A name without a trailing dot is relative to an origin that the file may not
 * contain, so it is ignored.
 */
function readOwner(owner: string | undefined): string | undefined {
  if (owner === undefined) return undefined;
  if (!/^_dmarc(?:\.|$)/i.test(owner))
    throw new UnreadableFile('has a record that receivers do not find: its name must begin with _dmarc');
  return /^_dmarc\.(.+)\.$/i.exec(owner)?.[1]?.toLowerCase();
}

/** Concatenates quoted strings without separators, as receivers do (RFC 7208, section 3.3). */
function joinStrings(data: string): string {
  let text = '';
  for (const [token, quoted] of data.matchAll(/"((?:[^"\\\n]|\\[^\n])*)"|;[^\n]*|[\s()]+|[\s\S]/g)) {
    if (quoted !== undefined) text += unescapeString(quoted);
    else if (!/^[;\s()]/.test(token))
      throw new UnreadableFile(
        'has more than the quoted strings of one record, or a quote that is not closed',
      );
  }
  return text;
}

const unescapeString = (text: string) =>
  text.replace(/\\(\d{3}|.)/g, (_, one: string) =>
    one.length === 3 ? String.fromCharCode(Number(one) & 0xff) : one,
  );

function checkRecord(text: string): void {
  if (text.length > LONGEST_RECORD)
    throw new UnreadableFile(`has a record of more than ${LONGEST_RECORD} characters`);
  if (!/^\s*v\s*=/i.test(text))
    throw new UnreadableFile('has a bad record: v: A record begins with v=DMARC1');
  try {
    parseDmarcPolicy(text);
  } catch (error) {
    if (!(error instanceof InvalidPolicy)) throw error;
    throw new UnreadableFile(`has a bad record: ${error.tag}: ${error.message.replace(/\.$/, '')}`);
  }
}
