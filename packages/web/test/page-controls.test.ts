import { afterEach, expect, it } from 'vitest';
import { type PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  openPage,
  type RenderedPage,
  restoreBrowser,
  serveMadeUp,
} from '../../../test/support/rendered-page.ts';

/** Records the effect of each control of a view: another address, another text, or requests. */

afterEach(restoreBrowser);

interface Use {
  name: string;
  use(control: PageNode): void;
}

/** How a visitor can use a control. */
function listUses(control: PageNode): Use[] {
  const { localName } = control;
  const name = toText(control) || localName;
  if (localName === 'select')
    return control
      .findAll(one => one.localName === 'option')
      .map(option => {
        const value = option.attributes.get('value') ?? String(option.value);
        const use = (select: PageNode) => {
          select.value = value;
          select.fire('change');
        };
        return { name: `${name}: ${value}`, use };
      });
  if (localName === 'form') {
    const fill = (form: PageNode) => {
      for (const [at, field] of form.findAll(one => one.localName === 'input').entries())
        fillField(field, at);
      form.fire('input');
      form.fire('submit');
    };
    return [{ name: `form ${name}`, use: fill }];
  }
  if (localName === 'details') {
    const open = (details: PageNode) => {
      details.open = true;
      details.fire('toggle');
    };
    return [{ name: `open ${name.split('\n')[0]}`, use: open }];
  }
  return [{ name: localName === 'tr' ? `row ${name}` : name, use: one => one.fire('click') }];
}

function fillField(field: PageNode, at: number): void {
  const values: Record<string, string> = { 'datetime-local': `2026-03-0${at + 1}T10:00`, date: '2026-04-05' };
  field.checked = true;
  field.value = values[field.attributes.get('type') ?? ''] ?? ` value ${at} `;
}

const isControl = (one: PageNode) =>
  /^(button|select|form|details)$/.test(one.localName) || one.attributes.has('onclick');

const listControls = (page: RenderedPage) =>
  page.root.findAll(isControl).filter(one => !one.attributes.has('disabled'));

/** Controls that differ only in the row or series that they belong to. */
const toKind = (name: string) =>
  name.replace(/(?<=Hide |Dismiss: |^row |Show \d+ hosts|: )(?!only|without).*/s, '…').slice(0, 60);

async function tryControls(hash: string, seed: number, props: object, seen: Set<string>): Promise<string[]> {
  const outcomes: string[] = [];
  let page = await openPage(hash, serveMadeUp(seed), props);
  const uses = listControls(page).map(listUses);
  const before = toText(page.root);
  for (const [at, ways] of uses.entries())
    for (const [way, { name }] of ways.entries()) {
      const kind = toKind(name);
      if (seen.has(kind) || (ways.length > 1 && way % 3 !== 1)) continue;
      seen.add(kind);
      const outcome = await tryControl(page, listUses(listControls(page)[at]!)[way]!, at, before);
      outcomes.push(`${name.replaceAll('\n', ' ').slice(0, 100)} ⇒ ${outcome || 'nothing new'}`);
      if (outcome === '') continue;
      page.close();
      page = await openPage(hash, serveMadeUp(seed), props);
    }
  page.close();
  return outcomes;
}

/** Returns what comes of a control; '' if nothing does. */
async function tryControl(page: RenderedPage, { use }: Use, at: number, before: string): Promise<string> {
  const { hash } = page.location;
  const focused = pageDocument.activeElement;
  page.actions.length = 0;
  use(listControls(page)[at]!);
  await page.settle();
  const { activeElement } = pageDocument;
  const moves =
    activeElement && activeElement !== focused ? [`focuses ${toText(activeElement).split('\n')[0]}`] : [];
  if (page.location.hash !== hash) return [...moves, `goes to ${page.location.hash}`].join('\n    ');
  const old = new Set(before.split('\n'));
  const shown = toText(page.root)
    .split('\n')
    .filter(line => !old.has(line));
  const actions = page.actions.map(action =>
    action.replace(/"query":".*?","variables"/, '"query":"…","variables"'),
  );
  return [...moves, ...actions, ...shown.slice(0, 12)].join('\n    ');
}

const POLICY = encodeURIComponent("default-src 'self'");

it('each control of each view does what is recorded', async () => {
  const visits: [hash: string, seed: number, props?: object][] = [
    ['#/csp?hostnames=a.example&not.blockedHostnames=b.example&period=7d', 1],
    ['#/csp?compare=before&noise=hidden&unit=days&date=2026-03-01', 6],
    ['#/', 3],
    ['#/csp/reports?sort=count', 2],
    ['#/csp/reports/record-1', 4],
    ['#/search?q=x', 3],
    ['#/policies', 1],
    ['#/watches', 2],
    ['#/audit', 3],
    ['#/setup', 1],
    [`#/try-policy?site=shop.example&policy=${POLICY}&add=img-src+data:`, 2],
    ['#/mail-policy?domain=shop.example', 2],
    ['#/', 101],
    ['#/watches', 101],
    [`#/try-policy?site=shop.example&policy=${POLICY}`, 101],
    ['#/?after=x', 1, { viewer: null }],
  ];
  const blocks: string[] = [];
  const seen = new Set<string>();
  for (const [hash, seed, props = {}] of visits)
    blocks.push(
      [`=== ${hash} with answers ${seed}`, ...(await tryControls(hash, seed, props, seen))].join('\n'),
    );
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('./recorded/controls.txt');
});
