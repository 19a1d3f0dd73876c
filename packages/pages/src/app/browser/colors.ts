import type { GroupBy } from './documents/documents.generated.ts';

/** One of the palette's, 0 to 9; what means the same everywhere has its own. */
export type Color = number | 'noise' | 'extension' | 'bad' | 'good';

/** The colour of all others together. */
export const REST = 9;
const PALETTE = REST;

/** Colours of names that are known: such a one has the same in every period. */
type Colors = Readonly<Record<string, Color>>;

/** Those of values. */
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

/** The colours of the report types that most sites have. */
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
 * A colour for each name, which it keeps from step to step: a known one, or one that follows from its text, unless an
 * earlier name has that.
 */
export function colorsOf(names: readonly string[], known: Colors): Map<string, Color> {
  const colors = new Map<string, Color>();
  const taken = new Set<Color>(names.map(name => (Object.hasOwn(known, name) ? known[name]! : -1)));
  for (const name of names) {
    let color = Object.hasOwn(known, name) ? known[name]! : hash(name) % PALETTE;
    if (!Object.hasOwn(known, name))
      for (let tries = 0; taken.has(color) && tries < PALETTE; tries++)
        color = ((color as number) + 1) % PALETTE;
    taken.add(color);
    colors.set(name, color);
  }
  return colors;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return value;
}
