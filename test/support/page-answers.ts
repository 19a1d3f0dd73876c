import { readFileSync } from 'node:fs';
import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';

/**
 * Made-up answers of `/graphql` for the page. Each value depends on its place in the document and on a seed, so that
 * the answers are the same in every run, and different seeds lead to different states of a view: empty lists, null,
 * zero, one and many.
 */

let schema: GraphQLSchema | undefined;
const readSchema = () =>
  (schema ??= buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')));

/** FNV-1a, which is enough to spread places over values. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

/** Seeds from this one on lead to long lists. */
export const MANY = 100;
const LONG_LIST = 22;

const NUMBERS = [0, 1, 2, 3, 7, 12, 87, 1234, 56_789, 2_345_678];
const FLAGS = [true, false];
/** Including a character that changes the direction of text. */
const TEXTS = ['shop.example', 'Ünïted Mail', "it's", 'x\u202ey', 'cdn.shop.example', '192.0.2.7', ''];

/** Values of fields and of dimensions that views compare with something. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  ACTION: ['enforced', 'reportOnly'],
  ALIGNED: ['true', 'false', ''],
  BLOCKED_HOST: ['a.ads.example', '', 'b.ads.example', 'c.ads.example', 'cdn.example', 'x\u202ey.example'],
  BLOCKED_ORIGIN: ['https://cdn.example', 'inline', 'https://a.example:8443', 'wss://b.example', '', "a'b"],
  CERT_TYPE: ['precertificate', 'certificate'],
  DIRECTIVE: ['img-src', 'script-src-elem', 'font-src', 'style-src-attr', ''],
  DISPOSITION: ['enforce', 'report', 'reporting', 'none', 'reject', ''],
  DKIM: ['pass', 'fail', ''],
  ISSUER: ["C=US, O=Let's Encrypt, CN=R3", 'Own CA', ''],
  NEL_TYPE: ['ok', 'dns.name_not_resolved', 'tcp.timed_out', ''],
  PAGE_HOST: ['shop.example', 'www.shop.example', ''],
  PHASE: ['dns', 'connection', 'application'],
  POLICY_TYPE: ['sts', 'tlsa', 'no-policy-found'],
  REASON: ['oom', 'unresponsive', ''],
  RESULT_TYPE: ['certificate-expired', 'starttls-not-supported', ''],
  SERVER_IP: ['192.0.2.1', '2001:db8::1', ''],
  SOURCE_CLASS: ['external', 'extension', 'inline', 'browser', 'data', 'sameOrigin', 'impossible', 'unknown'],
  SOURCE_IP: ['192.0.2.1', '2001:db8::1', ''],
  SOURCE_NETWORK: ['192.0.2.0/24', '2001:db8::/48', ''],
  SPF: ['pass', 'fail', ''],
  alignedShare: [0, 0.985, 1],
  blocked: ['https://cdn.example', 'inline', '', 'data', 'nonsense'],
  dataRetentionDays: [30, 1],
  directive: ['img-src', 'script-src', null],
  directives: ["default-src 'self'"],
  domain: ['ads.example', 'shop.example', null],
  link: ['/app#/csp?period=7d&hostnames=shop.example', '/app#/dmarc/reports'],
  notAfter: ['2026-03-04T05:06:07Z'],
  notBefore: ['2026-01-04T05:06:07Z'],
  policy: ["default-src 'self'; img-src 'none'; script-src a.example", "script-src 'nonce-a'; sandbox", ''],
  raw: ['{"b":1,"a":[]}', 'x\u202ey', '<xml/>'],
  samplingFraction: [1, 0.25],
  sender: ['Mailer', '', 'x\u202ey'],
  source: ["'self'", 'https://a.example', 'data:', null],
  uri: ['https://shop.example/cart?x=1', 'http://shop.example', 'about:blank', ''],
  url: ['https://collect.example/r/abc'],
};

/** How long ago, in hours. */
const AGES = [0, 2, 25, 100, 170, 600, 2000];
const HOUR = 3_600_000;

/** Answers a query of the page. */
export async function answerQuery(
  query: string,
  variables: object,
  seed: number,
  now: number,
): Promise<object> {
  const pick = <T>(place: string, values: readonly T[]): T =>
    values[hash(`${seed} ${place}`) % values.length]!;
  const ago = (place: string, limit = AGES.length) =>
    new Date(now - pick(place, AGES.slice(0, limit)) * HOUR - (hash(place) % 3600) * 1000).toISOString();

  const scalar = (name: string, field: string, place: string): unknown => {
    const own = VALUES[field];
    if (own) return pick(place, own);
    if (name === 'Boolean') return pick(place, FLAGS);
    if (name === 'Flag') return pick(place, [0, 1]);
    if (/^(Int|Float|Counter)$/.test(name)) return pick(place, NUMBERS);
    if (/^(DateTime|Instant)$/.test(name)) return ago(place);
    if (/^(Date|PeriodDate)$/.test(name)) return ago(place).slice(0, 10);
    if (name === 'ID') return `${field}-${hash(place) % 1000}`;
    return pick(place, TEXTS);
  };

  const resolve = (type: GraphQLOutputType, field: string, place: string): unknown => {
    if (isNonNullType(type)) return resolve(type.ofType, field, place) ?? TEXTS[0];
    if (isListType(type)) {
      // The service gives an example of each effect.
      const length =
        seed >= MANY && !/\.\d+\./.test(place)
          ? LONG_LIST
          : Math.max(field === 'examples' ? 1 : 0, pick(`${place} length`, [0, 1, 2, 4, 4]));
      return Array.from({ length }, (_, at) => resolve(type.ofType, field, `${place}.${at}`));
    }
    if (isEnumType(type))
      return pick(
        place,
        type.getValues().map(({ value }) => value as unknown),
      );
    if (isAbstractType(type)) {
      const members = readSchema().getPossibleTypes(type);
      return { __typename: pick(place, members).name, place };
    }
    return isObjectType(type) ? { place } : scalar(String(type), field, place);
  };

  const fieldResolver: GraphQLFieldResolver<{ place?: string }, unknown, Record<string, unknown>> = (
    source,
    args,
    _,
    info,
  ) => {
    const place = `${source?.place ?? ''}.${info.path.key}`;
    const own = (source as Record<string, unknown> | undefined)?.[info.fieldName];
    if (own !== undefined) return own;
    if (info.fieldName === 'reportGroups') return makeGroups(args, place);
    if (info.fieldName === 'reports' && args.type) return { place, type: args.type };
    if (info.fieldName === 'report' || info.parentType.name === 'Reports')
      return makeReports(source, args, info.fieldName, place);
    if (
      !isNonNullType(info.returnType) &&
      info.fieldName !== 'account' &&
      hash(`${seed} ${place} null`) % 6 === 0
    )
      return null;
    return resolve(info.returnType, info.fieldName, place);
  };

  function makeReports(source: object, args: Record<string, unknown>, field: string, place: string): unknown {
    const type = String(args.type ?? (source as { type?: string }).type);
    const name = `${type.replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase())}Report`;
    const make = (at: string) => ({ __typename: name, place: at, recordId: `record-${at.slice(-1)}` });
    if (field === 'report') return pick(place, [make(`${place}.0`), make(`${place}.1`), null]);
    if (field !== 'reports') return pick(place, FLAGS);
    return Array.from({ length: seed >= MANY ? LONG_LIST : pick(place, [0, 1, 5]) }, (_, at) =>
      make(`${place}.${at}`),
    );
  }

  function makeGroups(args: Record<string, unknown>, place: string): object {
    const by = args.by as string[];
    const length = seed >= MANY ? LONG_LIST : pick(place, [0, 1, 5, 5]);
    const end = Math.min(now, Date.parse(String(args.to ?? '')) || now);
    const times: Record<string, [step: number, length: number]> = {
      DAY: [24 * HOUR, 10],
      HOUR: [HOUR, 13],
      MINUTE: [60_000, 16],
    };
    const groups = Array.from({ length }, (_, at) => {
      const first = ago(`${place} first ${at}`);
      const keys = by.map((dimension, position) => {
        const [step, size] = times[dimension] ?? [];
        const values = VALUES[dimension] ?? TEXTS;
        const other = at < values.length ? '' : at;
        const value = step
          ? new Date(end - (length - at) * step).toISOString().slice(0, size)
          : `${values[(at + position * hash(place)) % values.length]}${other}`;
        const domain =
          dimension.endsWith('_HOST') && value ? String(value).split('.').slice(-2).join('.') : null;
        return { by: dimension, value, domain };
      });
      return {
        keys,
        count: Math.ceil(pick(place, [8, 4000, 3_000_000]) / (at + 1) ** 2),
        reports: at + 1,
        firstSeen: first,
        lastSeen: new Date((Date.parse(first) + now) / 2).toISOString(),
        days: at + 1,
        countBefore: pick(`${place} before`, [null, 1, 4000]),
        dailyCounts: pick(`${place} daily`, [null, [0, 3, at, 9]]),
      };
    });
    const sum = groups.reduce((all, { count }) => all + count, 0);
    const otherGroups = length < 5 ? 0 : pick(`${place} other`, [0, 1, 1200]);
    return {
      groups,
      otherGroups,
      otherCount: pick(`${place} more`, [null, otherGroups * 2]),
      totalCount: sum + otherGroups * 2,
      totalReports: length,
      truncated: otherGroups > 0,
    };
  }

  const rootValue = { viewer: { id: 'acme', type: 'team', email: null, teamName: 'Acme' } };
  return execute({
    schema: readSchema(),
    document: parse(query),
    variableValues: { ...variables },
    rootValue,
    fieldResolver,
    typeResolver: value => (value as { __typename: string }).__typename,
  });
}
