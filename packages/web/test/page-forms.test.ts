import { afterEach, describe, expect, it } from 'vitest';
import { type PageData, serveData, toGroup, toRows } from '../../../test/support/page-data.ts';
import { type PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  click,
  enter,
  findLabelled,
  findNamed,
  openPage,
  type RenderedPage,
  restoreBrowser,
} from '../../../test/support/rendered-page.ts';

/** Where forms and switches lead with values that visitors enter. */

afterEach(restoreBrowser);

const open = (hash: string, data: PageData = {}) => openPage(hash, serveData(data));

const findForm = (page: RenderedPage, kind: string) => page.root.querySelectorAll(`form.${kind}`)[0]!;

/** Submits a form, and returns the number of times that it was emptied. */
async function submit(page: RenderedPage, form: PageNode): Promise<number> {
  let resets = 0;
  form.reset = () => void resets++;
  form.fire('submit');
  await page.settle();
  return resets;
}

describe('the form of the audit log', () => {
  it.each([
    ['#/audit?cursor=c1', ' Login failed ', ' ', '#/audit?event=loginFailed'],
    [
      '#/audit?event=early&cursor=c1',
      '',
      ' ann@acme.example ',
      '#/audit?event=early&actor=ann%40acme.example',
    ],
    ['#/audit?event=early&actor=ann&cursor=c1', 'late', '', '#/audit?actor=ann&event=late'],
    ['#/audit?event=early&cursor=c1', '', '', '#/audit?event=early'],
  ])('leads from %s with the event %j and the actor %j to the first page', async (hash, event, actor, to) => {
    const page = await open(hash);
    findNamed(page, 'event')!.value = event;
    findNamed(page, 'actor')!.value = actor;
    expect(await submit(page, findForm(page, 'find'))).toBe(1);
    expect(page.location.hash).toBe(to);
  });
});

describe('the form for a filter', () => {
  const groups = {
    table0: toRows([toGroup(['ads.example', 'inline'], 3), toGroup(['ads.example', 'eval'], 4)]),
    table3: toRows([toGroup('x\u202ey', 1200)]),
  };
  const data = { ReportType: { account: { plan: { dataRetentionDays: 90 }, time: null, ...groups } } };
  const openForm = (hash = '#/csp?hostnames=a.example') => open(hash, data);

  async function add(page: RenderedPage, how: string, name: string, value: string): Promise<number> {
    await enter(page, findNamed(page, 'name')!, name, 'change');
    findNamed(page, 'how')!.value = how;
    findNamed(page, 'value')!.value = value;
    return submit(page, page.root.querySelectorAll('details.add-filter')[0]!.querySelector('form')!);
  }

  it.each([
    ['only', 'hostnames', ' b.example ', 'hostnames=a.example&hostnames=b.example'],
    ['without', 'hostnames', 'b.example', 'hostnames=a.example&not.hostnames=b.example'],
    ['only', 'hostnames', 'https://Shop.example:8443/cart', 'hostnames=a.example&hostnames=shop.example'],
    ['only', 'paths', 'https://shop.example/x', 'hostnames=a.example&paths=https%3A%2F%2Fshop.example%2Fx'],
    ['only', 'browser', 'x⟨U+202E⟩y', 'hostnames=a.example&browser=x%E2%80%AEy'],
    ['without', 'suspicious', 'true', 'hostnames=a.example&not.suspicious=true'],
    ['only', 'domainReputationScore', '100', 'hostnames=a.example&domainReputationScore=100'],
  ])('adds %s %s %j', async (how, name, value, query) => {
    const page = await openForm();
    expect(await add(page, how, name, value)).toBe(1);
    expect(page.location.hash).toBe(`#/csp?${query}`);
  });

  it.each([
    ['hostnames', ' '],
    ['hostnames', 'a.example'],
  ])('adds nothing for %s %j', async (name, value) => {
    const page = await openForm();
    await add(page, 'only', name, value);
    expect(page.location.hash).toBe('#/csp?hostnames=a.example');
  });

  it.each(['only', 'without'])('says what it expects, until another filter is chosen: %s', async how => {
    const page = await openForm();
    expect(await add(page, how, 'domainReputationScore', '101')).toBe(0);
    expect(page.location.hash).toBe('#/csp?hostnames=a.example');
    expect(page.text()).toContain('Expected: a number from 0 to 100.');
    await enter(page, findNamed(page, 'name')!, 'browser', 'change');
    expect(page.text()).not.toContain('Expected:');
  });

  it('suggests the values in the tables with their counts', async () => {
    const page = await openForm();
    const listSuggestions = async (name: string) => {
      await enter(page, findNamed(page, 'name')!, name, 'change');
      return (pageDocument.getElementById('known-values') ?? findNamed(page, 'value')!).childNodes.map(
        toText,
      );
    };
    expect(await listSuggestions('browser')).toEqual(['x⟨U+202E⟩y (1,200)']);
    expect(await listSuggestions('blockedHostnames')).toEqual(['ads.example (7)']);
    expect(await listSuggestions('suspicious')).toEqual(['yes', 'no']);
    const sources = await listSuggestions('sourceClass');
    expect(sources.filter(text => text.includes('('))).toEqual(['inline code (3)', 'eval() (4)']);
  });

  it('says that only hosts, paths and hashes can be patterns', async () => {
    const page = await openForm();
    const names = findNamed(page, 'name')!.childNodes.map(option => String(option.value));
    const patterns: string[] = [];
    for (const name of names) {
      await enter(page, findNamed(page, 'name')!, name, 'change');
      if (page.text().includes('* matches any characters')) patterns.push(name);
    }
    expect(patterns).toEqual(['hostnames', 'paths', 'blockedHostnames', 'blockedPaths']);
  });
});

describe('a switch', () => {
  it.each([
    ['#/csp?period=7d&noise=hidden', 'Hide browser noise', '#/csp?period=7d'],
    ['#/csp?period=7d&compare=before', 'Compare with the previous period', '#/csp?period=7d'],
  ])('that is on at %s is turned off: %s', async (hash, name, to) => {
    const time = { ...toRows([toGroup('2026-03-10', 1)]), totalReports: 1 };
    const account = { plan: { dataRetentionDays: 90 }, time, noise: null };
    const page = await open(hash, { ReportType: { account } });
    await click(page, name);
    expect(page.location.hash).toBe(to);
  });
});

describe('what a directive has blocked', () => {
  it.each([
    ['a saved policy', { policyId: 'p1', name: 'Shop', policy: 'img-src a.example' }, { policyId: 'p1' }],
    ['the wizard', undefined, {}],
  ])('is asked of %s', async (_, saved, where) => {
    const wizard = { active: true, policy: saved ? null : 'img-src a.example' };
    const directives = toRows([toGroup(['p1', 'img-src'], 3)]);
    const account = { policies: saved ? [saved] : [], wizard, directives };
    const page = await open('#/policies', { Policies: { account } });
    const [details] = page.root.querySelectorAll('details').filter(one => toText(one).includes('blocked'));
    page.actions.length = 0;
    details!.open = true;
    details!.fire('toggle');
    await page.settle();
    const asked = { account: 'acme', from: '2026-02-10', where: { effectiveDirective: 'img-src', ...where } };
    expect(page.actions).toEqual([`asks Blocked ${JSON.stringify(asked)}`]);
  });
});

describe('the choice', () => {
  const time = { ...toRows([toGroup('2026-03-10', 1)]), totalReports: 1 };
  const data = { ReportType: { account: { plan: { dataRetentionDays: 90 }, time } } };

  it.each([
    ['RISE', '#/csp?period=7d&order=RISE&compare=before'],
    ['KEY', '#/csp?period=7d&order=KEY'],
  ])('of the order %s leads to %s', async (order, to) => {
    const page = await open('#/csp?period=7d', data);
    const select = page.root.findAll(
      one => one.localName === 'select' && toText(one).includes('greatest rise'),
    )[0]!;
    await enter(page, select, order, 'change');
    expect(page.location.hash).toBe(to);
  });

  it.each([
    ['#/csp?hostnames=b.example&period=7d&browser=x', '', '#/csp?period=7d&browser=x'],
    ['#/watches?account=x&period=7d&browser=x', 'b.example', '#/csp?account=x&period=7d&hostnames=b.example'],
  ])('of a site leads from %s with %j to %s', async (hash, site, to) => {
    const csp = toRows([toGroup('a.example', 1), toGroup('b.example', 1)]);
    const page = await open(hash, { ...data, SiteNames: { account: { csp, nel: null } } });
    await enter(page, page.root.querySelectorAll('label.site')[0]!.querySelector('select')!, site, 'change');
    expect(page.location.hash).toBe(to);
  });
});

it.each(['free', 'add-filter'])('Escape closes the form %s, and no other key', async kind => {
  const page = await open('#/csp/reports');
  const [details] = page.root.querySelectorAll(`details.${kind}`);
  details!.open = true;
  details!.fire('keydown', { key: 'Enter' });
  expect([details!.open, pageDocument.activeElement]).toEqual([true, undefined]);
  details!.fire('keydown', { key: 'Escape' });
  expect(details!.open).toBe(false);
  expect(pageDocument.activeElement).toBe(details!.querySelector('summary'));
});

it('the form of a period is closed once its period is shown', async () => {
  const page = await open('#/csp/reports');
  const [details] = page.root.querySelectorAll('details.free');
  details!.open = true;
  for (const [name, value] of [
    ['from', '2026-03-01T10:00'],
    ['to', '2026-03-02T11:30'],
  ] as const)
    findNamed(page, name)!.value = value;
  await submit(page, details!.querySelector('form')!);
  expect([details!.open, page.location.hash]).toEqual([
    false,
    '#/csp/reports?from=2026-03-01T10%3A00&to=2026-03-02T11%3A30',
  ]);
});

describe('the form of a policy', () => {
  const policies = [{ policyId: 'p1', name: 'Saved', policy: 'img-src a.example' }];
  const data = { Sites: { account: { sites: null, policies } } };

  it('starts from a saved policy, and is restored by going back', async () => {
    const page = await open('#/try-policy?site=a.example&policy=x&add=img-src+data:', data);
    const values = () =>
      ['input', 'textarea'].map(name => findForm(page, 'question').querySelector(name)!.value);
    const select = findForm(page, 'question').querySelector('select')!;
    await enter(page, findForm(page, 'question').querySelector('input')!, ' b.example ', 'input');
    await enter(page, select, 'img-src a.example', 'change');
    await enter(page, select, '', 'change');
    expect(values()).toEqual([' b.example ', 'img-src a.example']);
    await submit(page, findForm(page, 'question'));
    expect(page.location.hash).toBe('#/try-policy?site=b.example&policy=img-src+a.example');
    await page.go('#/try-policy?site=a.example&policy=x');
    expect(values()).toEqual(['a.example', 'x']);
  });

  it('for mail sets the tags of the record, and is restored by going back', async () => {
    const page = await open('#/mail-policy?domain=a.example&policy=v%3DDMARC1%3B+p%3Dreject&period=7d');
    const form = findForm(page, 'question');
    const values = () => ['input', 'textarea'].map(name => form.querySelector(name)!.value);
    const [p, sp] = form.querySelectorAll('select');
    await enter(page, form.querySelector('input')!, ' b.example ', 'input');
    await enter(page, p!, 'none', 'change');
    await enter(page, sp!, 'quarantine', 'change');
    expect(values()).toEqual([' b.example ', 'v=DMARC1; p=none; sp=quarantine']);
    await enter(page, form.querySelector('textarea')!, 'v=DMARC1; p=none; rua=x ', 'input');
    expect([p!.value, sp!.value]).toEqual(['none', '']);
    await submit(page, form);
    expect(page.location.hash).toBe(
      '#/mail-policy?period=7d&domain=b.example&policy=v%3DDMARC1%3B+p%3Dnone%3B+rua%3Dx',
    );
    await page.go('#/mail-policy?domain=a.example&policy=x');
    expect(values()).toEqual(['a.example', 'x']);
  });
});

describe('a source to allow', () => {
  const suggestion = (source: string) => ({
    ...{ directive: 'img-src', source, covers: [source], opens: null, count: 1, pages: 1, days: 1 },
    ...{ browsers: 1, doubts: [], firstSeen: '2026-03-01T10:00:00Z' },
  });
  const none = { count: 0, pages: 0, days: 0, effects: [], otherEffects: 0 };
  const policyReplay = {
    ...{ policy: 'x', blocked: none, allowed: none, unknown: none, noise: { count: 0 }, otherCount: 0 },
    ...{ unused: [], ignored: [], trial: { isWatched: false, since: null } },
  };
  const suggestions = ['a.example', 'b.example'].map(suggestion);
  const data = {
    TryPolicy: {
      account: { policyReplay, policySuggestion: { suggestions, otherSuggestions: 0 } },
    },
  };
  const HASH = '#/try-policy?site=shop.example&policy=x';

  it('is added to the policy with its tick, and removed with it', async () => {
    const page = await open(`${HASH}&add=img-src+b.example`, data);
    const ticks = () =>
      page.root.querySelectorAll('input').filter(one => one.attributes.get('type') === 'checkbox');
    const states = () => ticks().map(({ checked }) => checked);
    const tick = async (at: number, isTicked: boolean) => {
      ticks()[at]!.checked = isTicked;
      ticks()[at]!.fire('change');
      await page.settle();
    };
    expect(states()).toEqual([false, true]);
    await tick(0, true);
    expect(page.location.hash).toBe(`${HASH}&add=img-src+b.example&add=img-src+a.example`);
    expect(states()).toEqual([true, true]);
    await tick(1, false);
    expect(page.location.hash).toBe(`${HASH}&add=img-src+a.example`);
    await page.go(HASH);
    expect(states()).toEqual([false, false]);
  });

  it('is added to those that were ticked before the answer', async () => {
    const page = await open(HASH, data);
    const ticks = page.root
      .querySelectorAll('input')
      .filter(one => one.attributes.get('type') === 'checkbox');
    for (const tick of ticks) {
      tick.checked = true;
      tick.fire('change');
    }
    await page.settle();
    expect(page.location.hash).toBe(`${HASH}&add=img-src+a.example&add=img-src+b.example`);
  });
});

describe('the form that dismisses an insight', () => {
  const insight = {
    ...{ id: 'i\u202e1', kind: 'manyNewHosts', severity: 'change', state: 'new', count: 7, verdict: null },
    ...{ title: 'Title', detail: 'Detail', subject: 'x', link: '/app#/csp?period=7d', firstSeen: '' },
  };
  const day = { date: '2026-03-11', ...Object.fromEntries(['csp', 'nel'].map(type => [type, 1])) };
  const account = {
    ...{ insights: [insight], insightCoverage: null, days: [day], sources: null, mail: null },
    ...{ watches: [], findings: { groups: [], totalCount: 0 }, newHosts: null, threats: null, issuers: null },
    ...{ sendersNow: null, senders: null, usageMetrics: [], quota: { used: 0, limit: 1 } },
    plan: { name: 'Team', dataRetentionDays: 90 },
  };

  it('writes the line of the verdict once it is complete', async () => {
    const page = await open('#/', { Overview: { account } });
    await click(page, 'Dismiss');
    const form = findForm(page, 'dismiss');
    const write = async (values: Record<string, string>, isValid = true) => {
      for (const name of ['reason', 'decidedBy', 'until']) findNamed(page, name)!.value = values[name] ?? '';
      form.checkValidity = () => isValid;
      form.fire('input');
      await page.settle();
      const [line] = form.querySelectorAll('pre');
      return line && toText(line);
    };
    expect(await write({ reason: 'Known.' })).toBeUndefined();
    expect(await write({ decidedBy: 'ann' })).toBeUndefined();
    expect(await write({ reason: ' ', decidedBy: 'ann' })).toBeUndefined();
    const complete = { reason: ' Kn\u202eown. ', decidedBy: ' ann ' };
    expect(await write(complete, false)).toBeUndefined();
    const verdict =
      '{"kind":"verdict","accountId":"acme","subjectKind":"insight","subject":"i\\u202e1","verdict":"accepted",' +
      '"count":7,"reason":"Kn\\u202eown.","decidedBy":"ann","decidedAt":"2026-03-11T14:35:20Z"';
    expect(await write(complete)).toBe(`${verdict}}`);
    expect(await write({ ...complete, until: '2026-04-01' })).toBe(
      `${verdict},"expiresAt":"2026-04-01T00:00:00Z"}`,
    );
    await click(page, 'Copy the line');
    expect(page.actions.at(-1)).toBe(`copies ${verdict},"expiresAt":"2026-04-01T00:00:00Z"}\n`);
  });
});

describe('a table with more groups', () => {
  const name = (at: number) => `d${String(at).padStart(3, '0')}`;
  const list = (length: number) => Array.from({ length }, (_, at) => toGroup(name(at), 200 - at));
  const time = { ...toRows([toGroup('2026-03-10', 1)]), totalReports: 1 };
  const table1 = toRows(list(15), 100);
  const data = {
    ReportType: { account: { plan: { dataRetentionDays: 90 }, time, table1 } },
    Groups: { account: { groups: toRows(list(90), 25), fresh: toRows([]) } },
  };
  const show = (page: RenderedPage) => {
    const section = findLabelled(page, 'Directives')!;
    const names = section.querySelectorAll('tr').flatMap(row => row.querySelectorAll('bdi').map(toText));
    const more = section.querySelectorAll('p').slice(1).map(toText);
    return [names.length, names[0], names.at(-1), ...more];
  };

  it('shows fifty more at a time, and those that contain a text', async () => {
    const page = await open('#/csp', data);
    expect(show(page)).toEqual([15, 'd000', 'd014', '<Show 50 more> 100 more groups, 100 in all']);
    expect(page.actions.filter(action => action.includes('Groups'))).toEqual([]);
    await click(findSection(page), 'Show 50 more');
    expect(show(page)).toEqual([65, 'd000', 'd064', '<Show 50 more> 50 more groups, 3,100 in all']);
    expect(page.actions.filter(action => action.includes('Groups'))).toHaveLength(1);
    const find = findLabelled(page, 'Find in Directives')!;
    const searched = 'Only the first 90 groups were searched.';
    await enter(page, find, ' D08', 'input');
    expect(show(page)).toEqual([10, 'd080', 'd089', searched]);
    await enter(page, find, 'odd', 'input');
    expect(show(page)).toEqual([
      ...[0, undefined, undefined],
      ...['No group has a name that contains this text.', searched],
    ]);
    await enter(page, find, ' ', 'input');
    expect(show(page).slice(0, 3)).toEqual([65, 'd000', 'd064']);
    await page.go('#/csp?period=7d');
    expect(show(page).slice(0, 3)).toEqual([15, 'd000', 'd014']);
  });

  it('searches all groups if there are at most a thousand', async () => {
    const whole = { account: { groups: toRows(list(90)), fresh: toRows([]) } };
    const page = await open('#/csp', { ...data, Groups: whole });
    await enter(page, findLabelled(page, 'Find in Directives')!, 'd08', 'input');
    expect(show(page)).toEqual([10, 'd080', 'd089']);
  });

  const findSection = (page: RenderedPage) => ({ ...page, root: findLabelled(page, 'Directives')! });

  it('is skipped to the next one, and the last one to the first', async () => {
    const page = await open('#/csp', data);
    const buttons = page.root.querySelectorAll('.skip-table');
    const places = buttons.map(button => {
      button.fire('click');
      return buttons.indexOf(pageDocument.activeElement!);
    });
    expect(places).toEqual([1, 2, 3, 0]);
  });
});

describe('the focus', () => {
  it.each([
    ['browser x', 'host a.example'],
    ['host a.example', 'not path /b'],
    ['not path /b', 'host a.example'],
  ])('moves from the removed filter %s to %s', async (removed, next) => {
    const page = await open('#/csp/reports?browser=x&hostnames=a.example&not.paths=/b');
    await click(page, `Remove filter: ${removed}`);
    expect(pageDocument.activeElement?.attributes.get('aria-label')).toBe(`Remove filter: ${next}`);
    page.root.querySelector('button')!.focus();
    await page.go('#/csp/reports?browser=y');
    expect(pageDocument.activeElement).toBe(page.root.querySelector('button'));
  });

  it('moves from the last removed filter to the content', async () => {
    const page = await open('#/csp/reports?browser=x');
    await click(page, 'Remove filter: browser x');
    expect(pageDocument.activeElement?.attributes.get('id')).toBe('content');
  });
});
