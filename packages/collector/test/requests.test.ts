import { expect, it } from 'vitest';
import { changeJson } from '../../../test/support/changed-inputs.ts';
import { exchange } from '../../../test/support/exchange.ts';
import { groupByPlace, type Outcome } from '../../../test/support/group-outcomes.ts';
import { reportingHeaders } from '../src/headers.ts';
import { toNetwork } from '../src/networks.ts';
import { Buckets } from '../src/rates.ts';
import { Share } from '../src/share.ts';
import { startTestCollector, violation } from './collecting.ts';

/** Records what comes of changed requests and of limits. */

it('each changed request is answered and stored as recorded', async () => {
  await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
  const token = new URL(collector.to).pathname;
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'];
  const paths = ['', '/enforce', '/report', '/wizard', '/Enforce', '/', '/enforce/', '?q', '/report?q', '#'];
  const requests = [
    ...paths.map(path => `${token}${path}`),
    '/healthz',
    '/healthz?',
    '/',
    '/r/',
    '/r',
    `/R${token.slice(2)}`,
  ];
  requests.push(token.slice(0, -1), `${token}x`);
  const outcomes: Outcome[] = [];
  const send = async (
    change: string,
    path: string,
    method: string,
    body = '',
    headers: Record<string, string> = {},
  ) => {
    const answer = await exchange(collector.url + path, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    });
    const all = [...answer.headers].filter(([name]) => !/^(date|keep-alive|connection)$/.test(name));
    outcomes.push([
      change.replace(token.slice(3, -1), 'TOKE').replace(`TOKE${token.at(-1)}`, 'TOKEN'),
      `${answer.status} ${answer.text}${all.map(pair => pair.join('=')).join(' ')}`,
    ]);
  };
  for (const path of requests)
    for (const method of methods) await send(`${path}: ${method}`, path, method, violation());
  for (const type of ['text/plain', 'application/csp-report', 'x'])
    await send(`content-type: ${type}`, token, 'POST', violation(), { 'content-type': type });
  for (const coding of ['identity', 'IDENTITY', 'gzip', ''])
    await send(`content-encoding: ${coding}`, token, 'POST', violation(), { 'content-encoding': coding });
  const bodies = (count: number) => `[${Array(count).fill('{"expect-ct-report":{}}')}]`;
  for (const count of [0, 1, 99, 100, 101]) await send(`reports: ${count}`, token, 'POST', bodies(count));
  for (const size of [1_048_575, 1_048_576, 1_048_577])
    await send(`bytes: ${size}`, token, 'POST', '{"expect-ct-report":{}}'.padEnd(size));
  for (const { change, input } of changeJson(JSON.parse(violation()), [null, 7, '', 'x', [], {}]))
    await send(change, token, 'POST', JSON.stringify(input));
  for (const host of [
    'a.acme.example',
    'xacme.example',
    'ACME.example',
    'acme.example.',
    'acme.example:8443',
  ])
    await send(`host: ${host}`, token, 'POST', violation({ 'document-uri': `https://${host}/` }));
  for (const length of [1023, 1024, 1025])
    await send(`agent: ${length}`, token, 'POST', violation(), { 'user-agent': 'a'.repeat(length) });
  await collector.collector.close();
  const lines = await collector.lines();
  expect(Date.parse(lines.find(({ usage }) => usage)!.usage.date)).not.toBeNaN();
  const stored = lines.map(({ kind, user_agent: agent, body, rate, usage }): Outcome => {
    const what = usage ? `usage ${JSON.stringify({ ...usage, date: 'today' })}` : JSON.stringify(body);
    return [`${kind} ${agent?.length} ${rate}: stored`, what];
  });
  await expect(`${groupByPlace(outcomes)}\n${groupByPlace(stored)}`).toMatchFileSnapshot(
    './recorded/requests.txt',
  );
});

it('networks, rates, shares and headers are as recorded', async () => {
  const addresses = [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::1',
    '2001:DB8::1',
    '2001:db8:0:1:2:3:4:5',
    '2001:0db8::',
    'x',
    '',
  ];
  let text = addresses.map(address => `${address} → ${toNetwork(address)}\n`).join('');
  const buckets = new Buckets({ perSecond: 2, burst: 5 }, 2);
  for (const [key, wanted, now] of [
    ['a', 5, 0],
    ['a', 1, 499],
    ['a', 1, 500],
    ['a', 6, 9e9],
    ['a', 5, 9e9],
    ['b', 6, 0],
    ['b', 4, 0],
    ['b', 2, 0],
    ['c', 1, 0],
    ['a', 5, 9e9],
  ] as const)
    text += `take ${wanted} of ${key} at ${now}: ${buckets.take(key, wanted, now)}\n`;
  for (const isShared of [false, true]) {
    const share = new Share(100, () => isShared);
    for (const [account, amount] of [
      ['a', 50],
      ['a', 1],
      ['b', 25],
      ['b', 1],
      ['c', 12],
      ['c', 1],
      ['a', 101],
    ] as const)
      text += `${isShared ? 'shared' : 'alone'}: ${account} takes ${amount}: ${share.take(account, amount)}, ${share.used} used\n`;
    share.add('a', -50);
    text += `${JSON.stringify([...share.entries()])} ${share.used}\n`;
  }
  for (const url of ['https://r.example/r/T', 'https://r.example/r/T//', 'HTTP://r.example/r/T'])
    for (const own of [undefined, { enforce: 'E', reportOnly: '' }, { enforce: '', reportOnly: 'R' }])
      text += `${url} ${JSON.stringify(own)}\n${reportingHeaders(url, own)
        .map(({ name, value, note }) => `  ${name}: ${value} (${note})\n`)
        .join('')}`;
  await expect(text).toMatchFileSnapshot('./recorded/limits.txt');
});
