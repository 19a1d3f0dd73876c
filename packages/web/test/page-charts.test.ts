import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { serveData } from '../../../test/support/page-data.ts';
import { PageNode } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  openPage,
  type RenderedPage,
  restoreBrowser,
  serveMadeUp,
  windowListeners,
} from '../../../test/support/rendered-page.ts';
import { listDays } from '../../../test/support/scenes/overview.ts';

/** Records how charts are drawn, and how they respond to the pointer. */

afterEach(restoreBrowser);

const round = (value: string | undefined) => String(Math.round(Number(value) * 10) / 10);

/** Labels with their places, and the bars that are not empty. */
function describeDrawing(svg: PageNode): string[] {
  const texts = svg
    .findAll(one => one.localName === 'text')
    .map(
      one =>
        `${toText(one)}@${round(one.attributes.get('x'))},${round(one.attributes.get('y'))} ${one.attributes.get('text-anchor')}`,
    );
  const shapes = svg
    .findAll(one => /^(rect|path)$/.test(one.localName) && one.attributes.get('class') !== 'hit')
    .map(({ localName, attributes }) => {
      const numbers = ['x', 'y', 'width', 'height'].map(name => round(attributes.get(name)));
      return `${attributes.get('class') ?? localName} ${attributes.get('d') ?? numbers.join(' ')}`;
    });
  const bars = listBars(svg).map(bar => bar.attributes.get('class'));
  return [
    `texts: ${texts.join(' | ')}`,
    `shapes: ${shapes.join(' | ')}`,
    `bars: ${bars.length} ${[...new Set(bars)].join(', ')}`,
  ];
}

const listBars = (node: PageNode) =>
  node.findAll(one => one.localName === 'g' && /^bar\b/.test(one.attributes.get('class') ?? ''));

const findCharts = (page: RenderedPage) =>
  page.root.findAll(
    one =>
      one.localName === 'svg' &&
      one.attributes.get('role') === 'img' &&
      one.attributes.get('viewBox') !== '0 0 100 6',
  );

it('a chart follows the width of its place, and is at least 200 pixels wide', async () => {
  const page = await openPage('#/audit', serveMadeUp(1));
  let width = 150;
  const place = { left: 0, top: 0, height: 220 };
  const measured = vi
    .spyOn(PageNode.prototype, 'getBoundingClientRect')
    .mockImplementation(() => ({ ...place, width }));
  onTestFinished(() => void measured.mockRestore());
  const observers = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #measure: () => void;
      constructor(measure: () => void) {
        this.#measure = measure;
      }
      observe(element: PageNode) {
        if (element.localName === 'svg') observers.add(this.#measure);
      }
      disconnect() {
        observers.delete(this.#measure);
      }
    },
  );
  await page.go('#/csp?period=7d');
  const getWidth = () => findCharts(page)[0]!.attributes.get('viewBox');
  expect(getWidth()).toBe('0 0 200 220');
  width = 333.6;
  for (const measure of observers) measure();
  await page.settle();
  expect([getWidth(), observers.size]).toEqual(['0 0 334 220', 1]);
  await page.go('#/audit');
  expect(observers.size).toBe(0);
  page.close();
});

it('charts are drawn as recorded', async () => {
  const blocks: string[] = [];
  for (const [hash, seed] of [
    ['#/', 4],
    ['#/', 6],
    ['#/csp?period=7d', 1],
    ['#/csp', 1],
    ['#/csp?period=90d&split=by+directive', 102],
    ['#/csp?period=24h', 1],
    ['#/csp?unit=hours&date=2026-03-11T10', 1],
    ['#/tls_rpt?period=7d', 3],
  ] as const) {
    const page = await openPage(hash, serveMadeUp(seed));
    const charts = findCharts(page).slice(0, 3);
    blocks.push([`=== ${hash} with answers ${seed}`, ...charts.flatMap(describeDrawing)].join('\n'));
    page.close();
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('./recorded/charts.txt');
});

/** The text that each bar shows below the pointer. */
async function listTips(page: RenderedPage): Promise<string[]> {
  const tips: string[] = [];
  for (const bar of listBars(findCharts(page)[0]!)) {
    bar.fire('pointerenter');
    await page.settle();
    const [tip] = page.root.findAll(one => one.attributes.get('class') === 'tip');
    tips.push(`tip: ${toText(tip!).replaceAll('\n', ' / ')}`);
  }
  return tips;
}

it('the chart of the overview marks the days on which insights began', async () => {
  const blocks: string[] = [];
  for (const { title, hash, data } of listDays()) {
    const page = await openPage(hash, serveData(data));
    const [legend] = page.root.findAll(one => one.attributes.get('class') === 'legend');
    const colors = legend!.findAll(one => one.localName === 'rect').map(one => one.attributes.get('class'));
    const drawing = describeDrawing(findCharts(page)[0]!);
    const lines = [`=== ${title}`, ...drawing, `legend: ${colors.join(' ')}`, ...(await listTips(page))];
    blocks.push(lines.join('\n'));
    page.close();
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('./recorded/marks.txt');
});

it('the pointer shows a bar, opens it, and selects several', async () => {
  const page = await openPage('#/csp?period=7d&hostnames=a.example', serveMadeUp(1));
  const [chart] = page.root.findAll(one => one.localName === 'figure');
  const bar = (at: number) => listBars(chart!)[at]!;
  const tip = () =>
    chart!
      .findAll(one => one.attributes.get('class') === 'tip')
      .map(one => `${toText(one)} ${JSON.stringify(one.style)}`);
  const within = () =>
    listBars(chart!)
      .map(one => (one.attributes.get('class')!.includes('within') ? 1 : 0))
      .join('');
  const steps: string[] = [];
  const step = async (name: string, target: PageNode, type: string, pointerType?: string) => {
    target.fire(type, { pointerType });
    if (type === 'pointerup') windowListeners.fire(type);
    await page.settle();
    steps.push(
      `${name}: ${page.location.hash}, within ${within()}, tip ${tip().join(' ').replaceAll('\n', ' ') || 'none'}`,
    );
  };
  await step('enter an empty bar', bar(0), 'pointerenter');
  await step('enter a bar', bar(1), 'pointerenter');
  await step('enter one on the right', bar(5), 'pointerenter');
  await step('press by touch', bar(2), 'pointerdown', 'touch');
  await step('release the touch', bar(4), 'pointerup', 'touch');
  await step('tap', bar(3), 'click');
  await step('leave', chart!, 'pointerleave');
  await step('press', bar(4), 'pointerdown', 'mouse');
  await step('move', bar(2), 'pointerenter');
  await step('release', bar(2), 'pointerup', 'mouse');
  await step('go back', bar(0), 'pointerenter');
  page.close();
  const other = await openPage('#/csp?period=7d&hostnames=a.example', serveMadeUp(1));
  const [second] = listBars(other.root);
  second!.fire('pointerdown', { pointerType: 'mouse' });
  await other.settle();
  second!.fire('pointerup', { pointerType: 'mouse' });
  second!.fire('click');
  await other.settle();
  steps.push(`click: ${other.location.hash}`);
  other.close();
  const overview = await openPage('#/', serveMadeUp(101));
  const several = listBars(overview.root)[0]!;
  several.fire('pointerenter');
  await overview.settle();
  const [tooltip] = overview.root.findAll(one => one.attributes.get('class') === 'tip');
  steps.push(`a bar of several types: ${toText(tooltip!).replaceAll('\n', ' / ')}`);
  await expect(`${steps.join('\n')}\n`).toMatchFileSnapshot('./recorded/pointer.txt');
});

it.each([
  [8, 8, undefined],
  [9, 9, undefined],
  [10, 9, '2 others'],
  [12, 9, '4 others'],
])('of %i parts of a chart, %i have a legend, and the rest is %s', async (count, expected, others) => {
  const serve = async (query: string, variables: Record<string, unknown>) => {
    const answer = await (await serveMadeUp(102)(query, variables)).json();
    answer.data.account?.time?.groups.splice(count);
    return Response.json(answer);
  };
  const page = await openPage('#/csp?split=by+directive', serve);
  const [legend] = page.root.findAll(one => one.attributes.get('class') === 'legend');
  expect(legend!.childNodes).toHaveLength(expected);
  expect(/\d+ others/.exec(toText(legend!))?.[0]).toBe(others);
});
