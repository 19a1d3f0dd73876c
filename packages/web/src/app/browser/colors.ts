import type { GroupBy } from './documents/documents.generated.ts';

/** An index into the palette, 0 to 9, or the name of a colour with a fixed meaning. */
export type Color = number | 'noise' | 'extension' | 'bad' | 'good';

/** The colour of the series that combines all remaining values. */
export const REST = 9;
const PALETTE = REST;

/** Fixed colours by name. */
type Colors = Readonly<Record<string, Color>>;

/** Fixed colours of values by dimension, so that a value has the same colour in every period. */
export const OF_VALUES: Partial<Record<GroupBy, Colors>> = {
  SOURCE_CLASS: {
    external: 0,
    inline: 1,
    data: 2,
    eval: 3,
    sameOrigin: 4,
    blob: 5,
    sameSite: 6,
    unknown: 9,
    browser: 'noise',
    impossible: 'noise',
    extension: 'extension',
  },
  ALIGNED: { true: 'good', false: 'bad' },
  PHASE: { application: 0, connection: 1, dns: 2 },
  ACTION: { enforced: 0, reportOnly: 1 },
  DISPOSITION: { enforce: 0, report: 1, reporting: 1, none: 0, quarantine: 1, reject: 4, pass: 2 },
  POLICY_TYPE: { sts: 0, tlsa: 2, 'no-policy-found': 1 },
  CERT_TYPE: { certificate: 0, precertificate: 1 },
};

/** Fixed colours of the report types that most sites receive. */
export const OF_TYPES: Colors = {
  csp: 0,
  nel: 1,
  dmarc: 2,
  permissions_policy: 3,
  certificate_transparency: 4,
  csp_integrity: 5,
  tls_rpt: 6,
  deprecation: 7,
  integrity_policy: 8,
};

/**
 * Assigns a colour to each name that is stable across views: its fixed colour, or else one derived from a hash of the
 * name, or the next free one if that is taken.
 */
export function assignColors(names: readonly string[], existing: Colors): Map<string, Color> {
  const colors = new Map<string, Color>();
  const taken = new Set<Color>(names.map(name => (Object.hasOwn(existing, name) ? existing[name]! : -1)));
  for (const name of names) {
    let color = Object.hasOwn(existing, name) ? existing[name]! : hash(name) % PALETTE;
    if (!Object.hasOwn(existing, name))
      for (let tries = 0; taken.has(color) && tries < PALETTE; tries++)
        color = ((color as number) + 1) % PALETTE;
    taken.add(color);
    colors.set(name, color);
  }
  return colors;
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
}
