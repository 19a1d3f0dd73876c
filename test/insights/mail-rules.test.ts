import { describe, expect, it } from 'vitest';
import { authenticationInsights } from '../../schema/insights/authentication.ts';
import { senderInsights, tlsInsights } from '../../schema/insights/mail.ts';
import type { AuthenticationDay, TlsDay } from '../../sql/insights/mail.ts';
import { createScope, DAY, SINCE } from './scope-of-rows.ts';

/** Tests rules on both sides of their thresholds, with the rows that the database would return. */

const toDate = (offset: number) => new Date((SINCE + offset * DAY) * 1000).toISOString().slice(0, 10);

describe('a sender whose DKIM fails', () => {
  const day = (offset: number, fields: Partial<AuthenticationDay> = {}): AuthenticationDay => ({
    ...{ sender: 'Mailer', day: toDate(offset), messages: 10, rows: 1, dkim: 10, spf: 10 },
    ...{ dkimFails: 0, spfFails: 0, dkimReports: 0, spfReports: 0, dkimFailed: '', spfFailed: '' },
    ...{ first: SINCE + offset * DAY, last: SINCE + offset * DAY + 9 },
    ...fields,
  });
  const failing = (offset: number, fields: Partial<AuthenticationDay> = {}) =>
    day(offset, { messages: 20, rows: 3, dkim: 0, spf: 20, dkimFails: 20, dkimReports: 3, ...fields });
  /** Ten days with a hundred messages together. */
  const usual = (fields: Partial<AuthenticationDay> = {}) =>
    Array.from({ length: 10 }, (_, index) => day(index - 10, index === 0 ? fields : {}));
  const find = (...days: AuthenticationDay[]) => authenticationInsights(createScope(days));

  it.each<[string, AuthenticationDay[], number]>([
    ['for 20 messages in 3 rows', [...usual(), failing(0)], 1],
    ['for 19 messages', [...usual(), failing(0, { dkimFails: 19 })], 0],
    ['in 2 rows', [...usual(), failing(0, { dkimReports: 2 })], 0],
    ['in half of 6 rows', [...usual(), failing(0, { rows: 6 })], 1],
    ['in less than half of 7 rows', [...usual(), failing(0, { rows: 7 })], 0],
    ['for half of the messages', [...usual(), failing(0, { messages: 40, dkim: 20 })], 0],
    ['for more than half of the messages', [...usual(), failing(0, { messages: 40, dkim: 19 })], 1],
    ['after 90 % of the messages passed', [...usual({ dkim: 0 }), failing(0)], 1],
    ['after 89 % of the messages passed', [...usual({ messages: 11, dkim: 0 }), failing(0)], 0],
    ['after 20 messages', [day(-2), day(-1), failing(0)], 1],
    ['after 19 messages', [day(-2, { messages: 9 }), day(-1), failing(0)], 0],
    ['before the period', [...usual(), failing(0, { first: SINCE - 1 })], 0],
  ])('%s', async (_, days, count) => {
    expect(await find(...days)).toHaveLength(count);
  });

  it('is described with its days from the first to the last on which it fails', async () => {
    const what = { dkimFailed: 's2026 permerror' };
    const [found, ...others] = await find(
      ...usual({ dkim: 5 }),
      failing(0),
      day(1, { messages: 4, dkim: 4 }),
      failing(2, what),
      day(3),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'authenticationFails', severity: 'incident', subject: 'Mailer', key: 'DKIM Mailer' },
      title: 'DKIM of Mailer fails, and only SPF keeps its mail aligned',
      pastTitle: 'DKIM of Mailer failed, and only SPF kept its mail aligned',
      detail:
        '91 % of 44 messages since 10 May 00:00 UTC, 5.0 % before. Most: selector s2026, result permerror.' +
        ' The key of the selector is missing in DNS, or cannot be read.',
      ...{ first: SINCE, last: SINCE + 2 * DAY + 9, count: 40, rank: 40 },
      reports: { type: 'dmarc', filters: { sender: 'Mailer' } },
    });
    expect(found!.baseline).toBeCloseTo(0.05 * 44);
  });

  it.each([
    [
      'bounce.example permerror',
      ' Most: domain bounce.example, result permerror. The record in DNS is wrong.',
    ],
    ['bounce.example softfail', ' Most: domain bounce.example, result softfail.'],
    ['bounce.example', ' Most: domain bounce.example, result unknown.'],
    ['', ''],
  ])('or its SPF, is described by the most frequent failure: %s', async (spfFailed, end) => {
    const spf = { dkim: 20, spf: 0, dkimFails: 0, dkimReports: 0, spfFails: 20, spfReports: 3, spfFailed };
    const [found] = await find(...usual(), failing(0, spf));
    expect([found!.key, found!.detail]).toEqual([
      'SPF Mailer',
      `100 % of 20 messages since 10 May 00:00 UTC, 0.0 % before.${end}`,
    ]);
  });
});

describe('mail to a domain that fails over TLS', () => {
  const day = (offset: number, failed: number, fields: Partial<TlsDay> = {}): TlsDay => ({
    ...{ domain: 'a.example', day: toDate(offset), failed, sessions: 1000, failedReports: failed && 2 },
    ...{ failure: '', exchanger: '', reporter: '', first: SINCE + offset * DAY, last: SINCE + offset * DAY },
    ...fields,
  });
  const usual = (failed: number) => Array.from({ length: 5 }, (_, index) => day(index - 9, failed));
  const find = (...days: TlsDay[]) => tlsInsights(createScope(days));

  it.each<[string, TlsDay[], number]>([
    ['in 20 sessions', [day(0, 20)], 1],
    ['in 19 sessions', [day(0, 19)], 0],
    ['in 1 % of the sessions', [day(0, 20, { sessions: 2000 })], 0],
    ['in more than 1 % of the sessions', [day(0, 21, { sessions: 2000 })], 1],
    ['in three times the usual share', [...usual(10), day(0, 30)], 0],
    ['in more than three times the usual share', [...usual(10), day(0, 31)], 1],
    ['in one report', [day(0, 99, { failedReports: 1 })], 0],
    ['in one report, for 10 % of the sessions', [day(0, 100, { failedReports: 1 })], 1],
    [
      'in one report on each of two days',
      [day(0, 20, { failedReports: 1 }), day(3, 70, { failedReports: 1 })],
      1,
    ],
    ['before the period', [day(-1, 20)], 0],
    ['since before the period', [day(-1, 20), day(1, 70)], 0],
    ['again after three days', [day(0, 20), day(3, 70)], 1],
    ['again after four days', [day(0, 20), day(4, 70)], 2],
    ['at two domains', [day(0, 20), day(0, 20, { domain: 'b.example' })], 2],
  ])('%s', async (_, days, count) => {
    expect(await find(...days)).toHaveLength(count);
  });

  it('is compared with the 28 days before, and with no others', async () => {
    const findAfter = (offset: number) => find(day(offset, 500), day(0, 900));
    expect((await findAfter(-28)).map(({ baseline }) => baseline)).toEqual([]);
    expect((await findAfter(-29)).map(({ baseline }) => baseline)).toEqual([0]);
  });

  it('is described with names that leave the others room', async () => {
    const long = (letter: string) => letter.repeat(40);
    const [found] = await find(day(0, 20, { domain: long('d'), exchanger: long('e'), failure: long('f') }));
    const short = (letter: string, begin: number, end: number) =>
      `${letter.repeat(begin)}…${letter.repeat(end)}`;
    expect(found!.title).toBe(
      `Mail to ${short('d', 9, 26)} fails over TLS at ${short('e', 9, 26)}: ${short('f', 8, 23)}`,
    );
  });

  it('is described with what most reports of its first day say', async () => {
    const says = { exchanger: 'mx.a.example', failure: 'certificate-expired', reporter: 'Big Mail' };
    expect(await find(...usual(5), day(0, 40, says), day(2, 60))).toMatchObject([
      {
        ...{ kind: 'tlsFailures', severity: 'incident', subject: 'a.example' },
        title: 'Mail to a.example fails over TLS at mx.a.example: certificate-expired',
        detail:
          '5.0 % of 2,000 sessions failed since 10 May 00:00 UTC, 0.5 % is usual. Most were reported by Big Mail.',
        ...{ first: SINCE, last: SINCE + 2 * DAY, count: 100, baseline: 10, rank: 100 },
        hosts: ['a.example', 'mx.a.example'],
      },
    ]);
    expect(await find(day(0, 40))).toMatchObject([
      {
        title: 'Mail to a.example fails over TLS',
        detail: '4.0 % of 1,000 sessions failed since 10 May 00:00 UTC, 0.0 % is usual.',
        hosts: ['a.example'],
      },
    ]);
  });
});

describe('a sender', () => {
  const HOUR = SINCE / 3600;
  const WEEK = 7 * 24;
  /** Messages in an hour, relative to the start of the period. */
  type Messages = [hour: number, passed: number, failed: number];
  const toHours = (messages: readonly (readonly [hour: number, count: number])[]) =>
    messages
      .filter(([, count]) => count > 0)
      .map(([hour, count]) => `[${HOUR + hour},1,${count},60,120]`)
      .join();

  async function find(began: number, ...messages: Messages[]) {
    const row = (way: string, v3: string, hours: string) => ({
      way,
      v2: way.endsWith('SENDER') ? 'Mailer' : '',
      v3,
      hours,
    });
    const rows = [
      row('hours HOUR', '', toHours([[began, 1]])),
      row('hours SENDER', 'true', toHours(messages.map(([hour, passed]) => [hour, passed]))),
      row('hours SENDER', 'false', toHours(messages.map(([hour, , failed]) => [hour, failed]))),
    ];
    return (await senderInsights(createScope(rows.filter(({ hours }) => hours !== '')))).drafts;
  }

  it.each<[string, number, Messages[], string | undefined]>([
    [
      'with 100 messages',
      -WEEK,
      [
        [0, 60, 0],
        [5, 0, 40],
      ],
      'change',
    ],
    [
      'with 99 messages',
      -WEEK,
      [
        [0, 60, 0],
        [5, 39, 0],
      ],
      undefined,
    ],
    [
      'since before the period',
      -WEEK,
      [
        [-1, 1, 0],
        [0, 99, 0],
      ],
      undefined,
    ],
    ['in an account with a week of data', -WEEK + 1, [[0, 100, 0]], undefined],
    ['of which half fail', -WEEK, [[0, 50, 50]], 'change'],
    ['of which more than half fail', -WEEK, [[0, 49, 51]], 'incident'],
  ])('is new: %s', async (_, began, messages, severity) => {
    const found = await find(began, ...messages);
    expect(found.map(one => [one.kind, one.severity])).toEqual(severity ? [['newSender', severity]] : []);
  });

  it.each<[string, Messages[], number | undefined]>([
    [
      'in 20 messages',
      [
        [-48, 20, 0],
        [0, 0, 20],
      ],
      0,
    ],
    [
      'in 19 messages',
      [
        [-48, 20, 0],
        [0, 0, 19],
      ],
      undefined,
    ],
    [
      'in 20 more than pass',
      [
        [-48, 20, 0],
        [0, 5, 25],
      ],
      0,
    ],
    [
      'in 19 more than pass',
      [
        [-48, 20, 0],
        [0, 6, 25],
      ],
      undefined,
    ],
    [
      'after 90 % passed',
      [
        [-48, 18, 2],
        [0, 0, 20],
      ],
      0,
    ],
    [
      'after less than 90 % passed',
      [
        [-48, 26, 3],
        [0, 0, 20],
      ],
      undefined,
    ],
    [
      'after 19 messages',
      [
        [-48, 19, 0],
        [0, 0, 20],
      ],
      undefined,
    ],
    [
      'since before the period',
      [
        [-48, 20, 0],
        [-1, 0, 5],
        [0, 0, 20],
      ],
      undefined,
    ],
    [
      'since more failed than passed',
      [
        [-48, 40, 0],
        [0, 0, 5],
        [1, 5, 0],
        [2, 0, 10],
        [4, 0, 10],
      ],
      2,
    ],
  ])('begins to fail: %s', async (_, messages, begin) => {
    const found = await find(-WEEK, ...messages);
    expect(found.map(({ kind, first }) => [kind, first])).toEqual(
      begin === undefined ? [] : [['senderFails', SINCE + begin * 3600 + 60]],
    );
  });

  it.each<[string, number, number, number]>([
    ['ends before its first message', 0, 59, 1],
    ['ends with its first message', 0, 60, 0],
    ['begins with its last message', 120, 180, 0],
    ['begins after its last message', 121, 180, 1],
  ])(
    'that is new explains a spike of all mail at the same time: one that %s',
    async (_, begin, end, count) => {
      const all = `[${HOUR - WEEK},1,1,0,0],[${HOUR + 9},30,30,${begin},${end}]`;
      const row = (way: string, v2: string, v3: string, hours: string) => ({ way, v2, v3, hours });
      const { drafts } = await senderInsights(
        createScope([
          row('hours HOUR', '', '', all),
          row('hours SENDER', 'Mailer', 'true', toHours([[9, 100]])),
        ]),
      );
      expect(drafts.map(({ kind }) => kind)).toEqual(['newSender', ...Array(count).fill('spike')]);
    },
  );

  it('is described with the first and last of its messages, whether they passed or failed', async () => {
    const row = (way: string, v2: string, v3: string, hours: string) => ({ way, v2, v3, hours });
    const all = row('hours HOUR', '', '', `[${HOUR - WEEK},1,1,0,0]`);
    const within = [`[${HOUR},1,60,90,120]`, `[${HOUR},1,50,30,200]`] as const;
    for (const [passed, failed] of [within, within.toReversed()]) {
      const { drafts } = await senderInsights(
        createScope([
          all,
          row('hours SENDER', 'Mailer', 'true', passed!),
          row('hours SENDER', 'Mailer', 'false', failed!),
        ]),
      );
      expect(drafts.map(({ count, first, last }) => [count, first, last])).toEqual([
        [110, SINCE + 30, SINCE + 200],
      ]);
    }
  });

  it('that fails is described with its messages since then and before', async () => {
    expect(await find(-WEEK, [-48, 95, 5], [2, 10, 30], [3, 0, 10])).toMatchObject([
      {
        ...{ severity: 'incident', subject: 'Mailer', title: 'Mail of Mailer begins to fail DMARC' },
        detail:
          '80 % of 50 messages failed since 10 May 02:01 UTC, 5.0 % in the four weeks before. Receivers may reject it.',
        ...{ first: SINCE + 2 * 3600 + 60, last: SINCE + 3 * 3600 + 120, count: 40, rank: 40 },
        baseline: (5 / (28 * 24)) * 2,
        reports: { type: 'dmarc', filters: { sender: 'Mailer' } },
      },
    ]);
  });
});
