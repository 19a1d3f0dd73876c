/** The handling that a policy requests for messages that fail. */
export const DMARC_ACTIONS = ['none', 'quarantine', 'reject'] as const;
export type DmarcAction = (typeof DMARC_ACTIONS)[number];

/** Relaxed (`r`) compares organizational domains, strict (`s`) whole domains. */
export type AlignmentMode = 'r' | 's';

/** A DMARC policy (RFC 9989), with defaults filled in. */
export interface DmarcPolicy {
  p: DmarcAction;
  /** For existing and for nonexistent subdomains. */
  sp: DmarcAction;
  np: DmarcAction;
  adkim: AlignmentMode;
  aspf: AlignmentMode;
  /** True if receivers apply the policy one level lower (`t=y`). */
  isTest: boolean;
  /** The `pct` tag of RFC 7489, which RFC 9989 removed; undefined if absent. */
  percentage: number | undefined;
  /** Tags that do not affect the handling of messages: `rua`, `ruf`, `fo`, `psd`. */
  further: Readonly<Partial<Record<FurtherTag, string>>>;
  /** Tags that RFC 9989 does not define. */
  ignored: string[];
}

const FURTHER_TAGS = ['rua', 'ruf', 'fo', 'psd'] as const;
type FurtherTag = (typeof FURTHER_TAGS)[number];

/** The record contains an error that receivers would misread. `tag` names the tag. */
export class InvalidPolicy extends Error {
  readonly tag: string;

  constructor(tag: string, reason: string) {
    super(reason);
    this.tag = tag;
  }
}

/**
 * Parses a DMARC record (RFC 9989, section 4.7); `v=DMARC1` is optional. Invalid values are refused, because receivers
 * would silently use the default instead.
 * @throws {InvalidPolicy}
 */
export function parseDmarcPolicy(text: string): DmarcPolicy {
  const tags = readTags(text);
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DMARC1' || [...tags.keys()][0] !== 'v'))
    throw new InvalidPolicy('v', 'A record begins with v=DMARC1.');
  const p = readAction(tags, 'p') ?? 'none';
  const sp = readAction(tags, 'sp') ?? p;
  return {
    p,
    sp,
    np: readAction(tags, 'np') ?? sp,
    adkim: readOne(tags, 'adkim', ['r', 's']) ?? 'r',
    aspf: readOne(tags, 'aspf', ['r', 's']) ?? 'r',
    isTest: readOne(tags, 't', ['y', 'n']) === 'y',
    percentage: readPercentage(tags),
    further: Object.fromEntries(FURTHER_TAGS.flatMap(tag => (tags.has(tag) ? [[tag, tags.get(tag)!]] : []))),
    ignored: [...tags.keys()].filter(tag => !KNOWN_TAGS.has(tag)),
  };
}

const KNOWN_TAGS: ReadonlySet<string> = new Set([
  ...['v', 'p', 'sp', 'np', 'adkim', 'aspf', 't', 'pct'],
  ...FURTHER_TAGS,
]);

function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*=\s*(.*?)\s*$/is.exec(part) ?? [];
    if (name === undefined || !isPrintable(value!))
      throw new InvalidPolicy(
        part.trim().slice(0, 40),
        'A record consists of tag=value pairs, separated by ";".',
      );
    const tag = name.toLowerCase();
    if (tags.has(tag)) throw new InvalidPolicy(tag, `The tag ${tag} occurs twice.`);
    tags.set(tag, value!);
  }
  if (tags.size === 0)
    throw new InvalidPolicy('p', 'The record is empty: it needs p=none, quarantine or reject.');
  return tags;
}

const isPrintable = (value: string) => /^[\x20-\x7e]*$/.test(value);

function readOne<Value extends string>(
  tags: ReadonlyMap<string, string>,
  tag: string,
  values: readonly Value[],
): Value | undefined {
  const given = tags.get(tag);
  if (given === undefined) return undefined;
  const found = values.find(value => value === given.toLowerCase());
  if (found === undefined) throw new InvalidPolicy(tag, `The tag ${tag} must be ${values.join(', ')}.`);
  return found;
}

const readAction = (tags: ReadonlyMap<string, string>, tag: string) => readOne(tags, tag, DMARC_ACTIONS);

function readPercentage(tags: ReadonlyMap<string, string>): number | undefined {
  const given = tags.get('pct');
  if (given === undefined) return undefined;
  const percentage = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
  if (!(percentage <= 100)) throw new InvalidPolicy('pct', 'The tag pct must be 0 to 100.');
  return percentage;
}

/** Formats the record to publish. Default values and undefined tags are left out. */
export function formatDmarcPolicy({ p, sp, np, adkim, aspf, isTest, further }: DmarcPolicy): string {
  const tags = [
    'v=DMARC1',
    `p=${p}`,
    sp !== p && `sp=${sp}`,
    np !== sp && `np=${np}`,
    adkim === 's' && 'adkim=s',
    aspf === 's' && 'aspf=s',
    isTest && 't=y',
    ...FURTHER_TAGS.map(tag => further[tag] && `${tag}=${further[tag]}`),
  ];
  return tags.filter(tag => tag).join('; ');
}

/** The policy that a receiver applied, as listed in an aggregate report. */
export type SeenPolicy = Readonly<Partial<Record<'p' | 'sp' | 'np' | 'adkim' | 'aspf' | 'testing', string>>>;

/**
 * Parses the policy of an aggregate report. Returns undefined if it is missing or contains a value that would add tags.
 */
export function parseSeenPolicy({ p, sp, np, adkim, aspf, testing: t }: SeenPolicy): DmarcPolicy | undefined {
  const tags = Object.entries({ p, sp, np, adkim, aspf, t }).filter(([, value]) => value);
  if (!p || tags.some(([, value]) => !/^[a-z]+$/i.test(value!))) return undefined;
  try {
    return parseDmarcPolicy(tags.map(([tag, value]) => `${tag}=${value}`).join(';'));
  } catch (error) {
    if (error instanceof InvalidPolicy) return undefined;
    throw error;
  }
}

/**
 * Formats the record of a policy from a report. Reports do not contain the addresses for reports, so the record has
 * none.
 */
export function formatSeenPolicy(seen: SeenPolicy): string | undefined {
  const policy = parseSeenPolicy(seen);
  return policy && formatDmarcPolicy(policy);
}
