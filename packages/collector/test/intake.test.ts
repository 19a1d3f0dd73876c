import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReportReader } from '../../../src/collect/reader.ts';
import type { DropOutcome } from '../src/counts.ts';
import type { ForwardBody } from '../src/forward.ts';
import { type Delivery, Intake, type IntakeSettings } from '../src/intake.ts';
import { type PlanQuota, Quotas } from '../src/quotas.ts';
import type { AccountFilters } from '../src/report.ts';
import type { LineFacts } from '../src/spool.ts';
import { violation } from './collecting.ts';

const NOW = '2026-05-20T10:11:12.013Z';
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
  vi.spyOn(Math, 'random').mockReturnValue(0.3);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Surroundings {
  filters?: Partial<AccountFilters>;
  plan?: PlanQuota;
  mostBytes?: number;
  burst?: number;
  /** The hosts whose reports are forwarded; nothing is forwarded by default. */
  forward?: readonly string[];
  canReserve?: boolean;
  /** The outcome of each line in turn: it is on disk, cannot be written, or has no room. */
  lines?: readonly ('written' | 'failed' | 'full')[];
}

/** Takes bodies one after another, and describes all that comes of them. */
function take(
  around: Surroundings,
  ...deliveries: [body: string | Buffer, delivery?: Partial<Omit<Delivery, 'token'>>, token?: object][]
): string {
  const said: string[] = [];
  const ends: (() => void)[] = [];
  const fates = [...(around.lines ?? [])];
  const say = (what: string) => void said.push(`    ${what}\n`);
  const quotas = new Quotas(around.mostBytes ?? 1e9, () => around.plan);
  let ids = 0;
  const spool = {
    nextId: () => `id-${ids++}`,
    add(account: string, pieces: readonly Buffer[], { types, counted, onEnd }: LineFacts) {
      const fate = fates.shift() ?? 'written';
      say(
        `line of ${account}, ${types}, ${counted} counted, ${fate}: ${Buffer.concat(pieces).toString().trimEnd()}`,
      );
      ends.push(() => onEnd!(fate === 'written'));
      if (fate === 'full') ends.pop();
      return fate !== 'full';
    },
  };
  const describeBody = ({ account, body, contentType, userAgent }: ForwardBody) =>
    `${account}, ${contentType}, ${userAgent}: ${body}`;
  const forwarder = {
    hosts: around.forward ?? [],
    reserve(item: ForwardBody) {
      say(`reserved for ${describeBody(item)}`);
      return around.canReserve ?? true;
    },
    send: (item: ForwardBody) => say(`forwarded ${describeBody(item)}`),
    release: (item: ForwardBody) => say(`released ${item.body.length} bytes`),
  };
  const drop = (account: string, type: string, outcome: DropOutcome, count = 1) =>
    say(`dropped of ${account}: ${count} ${type} ${outcome}`);
  const { filters } = around;
  const intake = new Intake({
    reader: createReportReader(),
    spool,
    counts: { drop },
    quotas,
    rate: { perSecond: 0, burst: around.burst ?? 1000 },
    listFilters: () =>
      filters && { sampling: {}, drops: () => false, rewrite: (report: unknown) => report, ...filters },
    forwarder: around.forward && forwarder,
  } as unknown as IntakeSettings);
  for (const [body, delivery, token] of deliveries) {
    const status = intake.take(
      {
        token: { account: 'acme', hosts: [], sampling: {}, ...token },
        ...{ kind: '', userAgent: 'Agent', contentType: 'application/csp-report', isForwarded: false },
        ...delivery,
      },
      Buffer.from(body),
    );
    say(`answers ${status}`);
    for (const end of ends.splice(0)) end();
  }
  const saved = quotas.save().map(([account, stored]) => `${account} ${JSON.stringify(stored)}`);
  return said.join('') + saved.map(text => `    stored by ${text}\n`).join('');
}

const page = (host: string, blocked = 'https://cdn.example/x.js') =>
  JSON.stringify({
    'csp-report': {
      'document-uri': `https://${host}/`,
      'blocked-uri': blocked,
      'effective-directive': 'img-src',
    },
  });
const nel = JSON.stringify({
  type: 'network-error',
  url: 'https://a.example/',
  body: { type: 'ok', phase: 'dns' },
});
const other = JSON.stringify({ type: 'unheard-of', url: 'https://a.example/', body: {} });
const unstored = '{"expect-ct-report":{}}';
const list = (...reports: string[]) => `[${reports.join(',')}]`;
const repeat = (count: number, text: string) => list(...Array<string>(count).fill(text));

/** A report of this many JSON values by an upper bound: the brackets, braces and commas, and one. */
const withValues = (count: number) =>
  `{"csp-report":{"document-uri":"https://a.example/","x":[${Array(count - 4).fill(0)}]}}`;

const own = page('a.example');
const below = page('w.b.example');
const foreign = page('xb.example');
const plan = (used: number, limit: number) => ({ used, limit, month: '2026-05' });

const CASES: Record<string, () => string> = {
  'each kind of address': () =>
    take({}, [own, { kind: 'enforce' }], [own, { kind: 'report' }], [own, { kind: 'wizard' }]),
  'white space, line breaks and broken UTF-8': () =>
    take(
      {},
      [` {"csp-report":\r\n{"document-uri":"https://a.example/",\n"x":"ü\\n" }}\r\n`],
      [
        Buffer.concat([
          Buffer.from(own.slice(0, -2)),
          Buffer.from(',"y":"'),
          Buffer.of(0xff),
          Buffer.from('"}}'),
        ]),
      ],
    ),
  'long user agents': () => take({}, [own, { userAgent: `"${'a'.repeat(1022)}é"` }]),
  'a list of one': () => take({}, [list(own)]),
  'a list of several types': () => take({}, [list(own, nel, other)]),
  'a list with reports that are not stored': () => take({}, [list(own, unstored, '7', nel, '{}')]),
  'only reports of types that are not stored': () => take({}, [list(unstored, unstored)]),
  'only values that are no reports': () => take({}, [list('7', '{}', 'null')]),
  'as many reports as allowed, and one more': () =>
    take({}, [repeat(100, unstored)], [repeat(101, unstored)]),
  'as many JSON values as allowed, and one more': () => take({}, [withValues(20_000)], [withValues(20_001)]),
  'no JSON, and nothing': () => take({}, ['{'], [''], ['[]'], ['null'], ['"x"']),
  'other hosts': () =>
    take(
      {},
      [list(own, below, foreign, page('B.EXAMPLE.'), page('b.example:8443')), {}, { hosts: ['b.example'] }],
      [own, {}, { hosts: ['b.example', 'a.example'] }],
      [violation({ 'document-uri': 'about:srcdoc', referrer: '' }), {}, { hosts: ['b.example'] }],
    ),
  'sampled by the token, before the filters': () =>
    take(
      { filters: { sampling: { csp: 30, nel: 31, wizard: 29 } } },
      [list(own, nel, other)],
      [own, { kind: 'wizard' }],
      [list(own, nel), {}, { sampling: { csp: 31, nel: 30 } }],
      [list(own, nel), { kind: 'wizard' }, { sampling: { wizard: 100, csp: 1 } }],
    ),
  'sampled without filters': () =>
    take(
      {},
      [list(own, nel, own), {}, { sampling: { nel: 50 } }],
      [list(own, nel), {}, { sampling: { csp: 30 } }],
    ),
  'filtered and rewritten': () =>
    take(
      {
        filters: {
          drops: ({ page: from, blocked, source, type }) => {
            return `${from} ${blocked} ${source} ${type}` === 'https://a.example/ inline inline csp';
          },
          rewrite: report => ({ ...(report as object), rewritten: true }),
        },
        forward: [],
      },
      [list(page('a.example', 'inline'), page('b.example', 'inline'), nel)],
      [own],
    ),
  'beyond the rate': () => take({ burst: 3 }, [list(own, own)], [list(own, nel)], [own], [own]),
  'a rate that also counts what is not stored': () => take({ burst: 3 }, [list(unstored, '7', own)], [own]),
  'a rate that does not count bodies without a report': () => take({ burst: 1 }, [list('7', '{}')], [own]),
  'several reasons for dropping a report, of which the first counts': () =>
    take(
      {
        burst: 3,
        filters: { sampling: { csp: 30 }, drops: ({ page: from }) => from !== 'https://w.b.example/' },
      },
      [
        list(foreign, own, below, nel.replace('a.example', 'w.b.example')),
        {},
        { hosts: ['a.example', 'b.example'] },
      ],
    ),
  'within the quota of the plan': () =>
    take({ plan: plan(5, 8) }, [list(own, own, other, own)], [own], [other]),
  'beyond the quota of the plan': () => take({ plan: plan(5, 7) }, [list(own, own, other, own)]),
  'beyond the bytes of a day': () => take({ mostBytes: 600 }, [list(own, nel)], [list(own, nel)], [nel]),
  'lines that cannot be written': () =>
    take({ plan: plan(0, 2), lines: ['failed', 'full', 'written'] }, [own], [own], [list(own, own)]),
  'forwarded as one body': () =>
    take({ forward: [] }, [` ${own}`], [list(own, nel)], [own, { contentType: undefined, userAgent: '' }]),
  'forwarded by host': () =>
    take(
      { forward: ['b.example', 'c.example'] },
      [list(own, below, foreign, page('c.example'))],
      [own],
      [below],
      [list(below)],
      [list(own, below)],
    ),
  'forwarded by one of two possible hosts': () =>
    take({ forward: ['b.example'] }, [
      violation({
        'document-uri': 'about:srcdoc',
        referrer: 'https://a.example/',
        'source-file': 'https://b.example/x.js',
      }),
    ]),
  'forwarded after sampling': () =>
    take(
      { forward: ['b.example'], filters: { sampling: { nel: 1 } } },
      [list(own, below, nel)],
      [list(page('b.example'), nel, below)],
      [below],
    ),
  'not forwarded again': () => take({ forward: [] }, [own, { isForwarded: true }]),
  'not forwarded without room': () => take({ forward: [], canReserve: false }, [own]),
  'not forwarded if nothing is accepted': () =>
    take({ forward: [] }, [unstored], [own, {}, { hosts: ['b.example'] }]),
  'forwarded only if all lines are on disk': () =>
    take(
      {
        forward: [],
        filters: {},
        lines: ['failed', 'written', 'written', 'failed', 'full', 'written', 'full', 'full'],
      },
      [list(own, nel)],
      [list(own, nel)],
      [list(own, nel)],
      [list(own, nel)],
      [list(own, nel)],
    ),
};

it('each body is stored, dropped and forwarded as recorded', async () => {
  const shorten = (text: string) =>
    text
      .replaceAll(nel, 'NEL')
      .replaceAll(other, 'OTHER')
      .replace(
        /\{"csp-report":\{"document-uri":"https:\/\/([^"]+)\/","blocked-uri":"https:\/\/cdn.example\/x.js","effective-directive":"img-src"\}\}/g,
        'CSP of $1',
      )
      .replaceAll(`"time":"${NOW}",`, '')
      .replace(/a{40,}/g, as => `${as.length} × a`)
      .replace(/(?:0,){40,}0/g, zeros => `${(zeros.length + 1) / 2} × 0`)
      .replace(/(.+\n)\1+/g, (all, line: string) =>
        line.replace('\n', ` (${all.length / line.length} times)\n`),
      );
  const text = Object.entries(CASES).map(([name, run]) => `${name}\n${shorten(run())}\n`);
  await expect(text.join('')).toMatchFileSnapshot('./recorded/intake.txt');
});
