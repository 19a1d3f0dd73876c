import { expect, it } from 'vitest';
import {
  isHost,
  isHostPattern,
  normalizeHost,
  normalizePath,
  parseAddress,
  parseIpAddress,
  sourceClass,
  violationClass,
} from '../src/index.ts';
import {
  assessReadiness,
  assessSts,
  formatDmarcPolicy,
  judgeSender,
  parseDmarcPolicy,
  parseStsPolicy,
  type ReportedMessages,
  replayDmarc,
} from '../src/mail/index.ts';

const attempt = (read: () => unknown): unknown => {
  try {
    return read() ?? null;
  } catch (error) {
    return `throws ${(error as Error).message}`;
  }
};
const list = (title: string, inputs: readonly string[], read: (input: string) => unknown) =>
  `# ${title}\n${inputs.map(input => `${JSON.stringify(input)} → ${JSON.stringify(attempt(() => read(input)))}\n`).join('')}`;

const grid = (...parts: readonly (readonly string[])[]) =>
  parts.reduce<string[]>((all, ones) => all.flatMap(begin => ones.map(one => begin + one)), ['']);

it('addresses have the recorded forms and classes', async () => {
  const hosts = [
    'A.example',
    'a.example.',
    'a.example..',
    'bücher.example',
    '*.bücher.example',
    '*.a.example',
  ];
  const more = [
    'a_b.example',
    '192.0.2.1',
    '0x7f.1',
    '1.2.3',
    '2001:DB8::1',
    '[2001:DB8::1]',
    'a b',
    'a/b',
    '',
  ];
  const names = [
    ...grid([...hosts, ...more], ['', ':443', ':*', ':x']),
    ...[255, 256, 257].map(n => 'a'.repeat(n)),
  ];
  const ips = [
    ...grid(
      ['', ' ', '['],
      ['192.0.2.1', '2001:DB8::1', '::ffff:192.0.2.1'],
      ['', ']', ']:25', ':25', ':123456', '%e0'],
    ),
    ...[
      '0::',
      '::1',
      '::ffff:0:1',
      '1:0:0:2:0:0:0:3',
      '01.2.3.4',
      '256.1.1.1',
      '1.2.3',
      '',
      'x',
      '::fffe:c000:201',
    ],
    ...[81, 82].map(n => `fe80::1%${'e'.repeat(n + 31)}`),
  ];
  const blocked = [
    ...[
      'inline',
      'INLINE',
      'eval',
      'wasm-eval',
      'self',
      'data',
      'data:x',
      'blob',
      'blob:https://a.example/1',
      'about',
      '',
    ],
    ...[
      'blob:chrome-extension://x',
      'moz-extension://x/y',
      'x-extension:',
      'filesystem:file://x',
      'view-source:https://a.example',
    ],
    ...[
      'https://www.shop.example/x',
      'https://cdn.shop.example/x',
      'https://shop.example.',
      'http://www.shop.example:443/',
    ],
    ...[
      'wss://www.shop.example/',
      'ws://www.shop.example/',
      'ftp://www.shop.example/',
      'gopher://www.shop.example/',
    ],
    ...[
      'https://a.github.io/',
      'https://192.0.2.1/',
      'https://',
      'www.shop.example',
      `https://${'a'.repeat(520)}.example`,
    ],
  ];
  const pages = ['https://www.shop.example/a?b', 'https://b.github.io', 'https://192.0.2.1/x', 'inline', ''];
  const violation = {
    uri: pages[0]!,
    directive: 'script-src-elem',
    policy: "script-src 'self' https://cdn.example",
  };
  const files = [
    '',
    'https://a.example/x.js',
    'chrome-extension',
    'about:blank',
    'file:///x',
    'moz-extension://x',
    'resource:x',
  ];
  const texts = [
    list('Hosts: normalized, valid, a pattern', names, name => [
      normalizeHost(name),
      isHost(name),
      isHostPattern(name),
    ]),
    list('Paths', ['/a?b', '/a#b', '/a b', '/<é>', '/a^`{}', '/%41', '/*\n?x', '?x', ''], normalizePath),
    list(
      'Addresses',
      ['https://A.example:8443/x?y', 'data:x', 'inline', 'https://a.example/^', '//a', ''],
      parseAddress,
    ),
    list('IP addresses', ips, parseIpAddress),
    list('Classes on different pages', blocked, uri => pages.map(page => sourceClass(uri, page)).join(' ')),
    list('Classes by source file', files, sourceFile =>
      ['inline', 'https://cdn.example/x', 'https://x.example/', 'about:x', 'eval']
        .map(blockedUri => violationClass({ ...violation, blockedUri }, { sourceFile }))
        .join(' '),
    ),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot('./recorded/addresses.txt');
});

it('mail policies have the recorded forms', async () => {
  const tags = ['p', 'sp', 'np', 'adkim', 'aspf', 't', 'pct', 'rua', 'x'];
  const values = ['', 'none', 'REJECT', 'r', 'S', 'y', 'n', '0', '100', '101', '1000', 'é'];
  const records = [
    ...tags.flatMap(tag =>
      values.map(value => `v=DMARC1; p=quarantine; ${tag}=${value}`).filter(() => tag !== 'p'),
    ),
    ...values.map(value => `p=${value}`),
    ...[
      '',
      ';',
      ' ; ',
      'p',
      'p=none;p=none',
      'p=none; v=DMARC1',
      'v=dmarc1;p=none',
      'P = none ;',
      'sp=none',
      '1=2',
    ],
  ];
  const policies = [
    'version: STSv1',
    'mx: a.example',
    'MX:*.A.example',
    'mx: a_b',
    'mx: *',
    'mx: a..b',
    'mx:',
  ];
  const ages = ['0', '1', '1.5', 'x', '31557600', '31557601'].map(
    age => `mode: Enforce, max_age: ${age}, mx: a.example`,
  );
  const texts = [
    list('DMARC', records, text => {
      const policy = parseDmarcPolicy(text);
      return [formatDmarcPolicy(policy), policy.percentage ?? '', policy.ignored.join()].join(' | ');
    }),
    list('MTA-STS', [...policies, ...ages, 'mx: a.example\r\nmx: A.example'], text => parseStsPolicy([text])),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot('./recorded/policies.txt');
});

it('replayed messages have the recorded outcomes', async () => {
  const usual: ReportedMessages = {
    sender: 's',
    headerFrom: 'shop.example',
    policyDomain: 'shop.example',
    dkim: 'fail',
    spf: 'fail',
    isAligned: false,
    adkim: 'r',
    aspf: 'r',
    disposition: 'none',
    overrides: [],
    dkimPassed: [],
    dkimFailed: [],
    spfPassed: [],
    spfFailed: [],
    count: 7,
  };
  const domains = [['shop.example'], ['mail.shop.example'], ['esp.example']];
  const changes: Partial<ReportedMessages>[] = [
    {},
    { count: 0 },
    ...(['dkimPassed', 'dkimFailed', 'spfPassed', 'spfFailed'] as const).flatMap(name =>
      domains.map(value => ({ [name]: value })),
    ),
    { dkim: 'pass', isAligned: true },
    { spf: 'pass', isAligned: true },
    { dkim: '', spf: '', isAligned: true },
    { headerFrom: 'a.shop.example' },
    { headerFrom: 'a.shop.example', policyDomain: 'a.shop.example' },
    { headerFrom: 'xshop.example' },
    { disposition: 'reject' },
    { disposition: 'quarantine' },
    ...['forwarded', 'mailing_list', 'local_policy', 'sampled_out', 'policy_test_mode'].map(type => ({
      overrides: [type],
    })),
    { spfFailed: ['shop.example'], dkimPassed: ['shop.example'], isAligned: true },
    { spfFailed: ['shop.example'], dkimFailed: ['shop.example'] },
  ];
  const policies = [
    'p=reject',
    'p=reject;sp=none;np=quarantine',
    'p=reject;adkim=s;aspf=s',
    'p=quarantine;t=y',
  ];
  let text = '';
  for (const policy of policies) {
    text += `# ${policy}\n`;
    for (const change of changes) {
      const { total, actual, otherRecords, senders } = await replayDmarc(
        parseDmarcPolicy(policy),
        'shop.example',
        [{ ...usual, ...change }],
      );
      const counts = Object.entries(total).filter(([, count]) => count > 0);
      const done = Object.entries(actual).filter(([, count]) => count > 0);
      const reasons = senders.flatMap(one =>
        one.reasons.map(({ cause, domain }) => `${cause} ${domain ?? ''}`),
      );
      const parts = [counts.map(([name]) => name), done.map(([name]) => name), otherRecords, reasons];
      text += `${JSON.stringify(change)} → ${parts.map(part => (Array.isArray(part) ? part.join(', ') : part)).join(' | ')}\n`;
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/replays.txt');
});

it('readiness has the recorded reasons at its limits', async () => {
  const outcome = {
    sender: 'esp',
    reasons: [],
    ...{ messages: 0, delivered: 0, quarantined: 0, rejected: 0, aligned: 0, dkimAligned: 0 },
    ...{ spfAligned: 0, forwarded: 0, uncertain: 0, overridden: 0 },
  };
  let text = '';
  for (const [messages, aligned, spfAligned, forwarded] of [
    [0, 0, 0, 0],
    [99, 99, 1, 0],
    [100, 100, 1, 0],
    [100, 99, 1, 0],
    [100, 98, 1, 0],
    [1000, 989, 0, 989],
    [1000, 989, 0, 988],
    [1, 0, 0, 0],
  ] as const) {
    for (const verdict of [undefined, 'mine', 'accepted', 'forwarder', 'notMine']) {
      const judged = judgeSender({ ...outcome, messages, aligned, spfAligned, forwarded }, verdict);
      const ready = [1, 13, 14].map(days => assessReadiness([judged], days));
      text += `${messages} ${aligned} ${spfAligned} ${forwarded} ${verdict} → ${judged.kind} ${judged.needsRepair}, `;
      text += `${ready.map(({ state }) => state).join(' ')}: ${ready[0]!.alignedShare} ${ready[0]!.reasons.join(' ')}\n`;
    }
  }
  for (const sessions of [0, 99, 100, 10_000])
    for (const refused of [0, 1, 10, 11])
      for (const days of [1, 13, 14]) {
        const { state, reasons } = assessSts({
          ...{ sessions, refused, days },
          unprotected: refused === 10 ? 5 : 0,
          exchangers: ['a', 'b', 'c', 'd'].slice(0, refused),
        });
        text += `${sessions} ${refused} ${days} → ${state}: ${reasons.join(' ')}\n`;
      }
  await expect(text).toMatchFileSnapshot('./recorded/readiness.txt');
});
