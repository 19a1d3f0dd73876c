import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageDocument } from '../../../test/support/page-dom.ts';
import { click, NOW, openPage, restoreBrowser, serveMadeUp } from '../../../test/support/rendered-page.ts';

/** Tests the frame around the views, which refreshes them and opens the navigation. */

afterEach(async () => {
  pageDocument.hidden = false;
  await restoreBrowser();
});

const madeUp = serveMadeUp(1);

/** Opens the audit log, whose timers are called by the test. */
async function openWithTimers() {
  const looks = new Map<number, () => void>();
  const intervals: number[] = [];
  const page = await openPage('#/audit', madeUp);
  vi.stubGlobal('setInterval', (look: () => void, every: number) => {
    intervals.push(every);
    return looks.set(intervals.length, look) && intervals.length;
  });
  vi.stubGlobal('clearInterval', (timer: number) => looks.delete(timer));
  /** Returns the number of queries after a time in milliseconds since the page was opened. */
  const queriesAt = async (time: number, look = () => looks.forEach(one => void one())) => {
    vi.setSystemTime(NOW + time);
    look();
    await page.settle();
    return page.actions.length;
  };
  return { page, intervals, looks, queriesAt };
}

describe('a view that is refreshed every minute', () => {
  const becomeVisible = () => {
    pageDocument.hidden = false;
    pageDocument.listeners.fire('visibilitychange');
  };

  it('is requested again a minute after the last time', async () => {
    const { page, intervals, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    expect(intervals).toEqual([1000]);
    expect(await queriesAt(59_999)).toBe(1);
    expect(await queriesAt(60_000)).toBe(2);
    expect(page.actions[1]).toBe(page.actions[0]);
    expect(await queriesAt(119_999)).toBe(2);
    expect(await queriesAt(120_000)).toBe(3);
    page.close();
  });

  it('waits while the page is hidden', async () => {
    const { page, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    pageDocument.hidden = true;
    expect(await queriesAt(90_000)).toBe(1);
    expect(await queriesAt(90_001, becomeVisible)).toBe(2);
    expect(await queriesAt(150_000)).toBe(2);
    expect(await queriesAt(150_001)).toBe(3);
    page.close();
  });

  it('is not requested any more once that is off', async () => {
    const { page, looks, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    expect(looks.size).toBe(1);
    await click(page, 'Refresh every minute');
    expect(looks.size).toBe(0);
    expect(await queriesAt(60_000, becomeVisible)).toBe(1);
    page.close();
  });
});

it('the navigation of a phone is closed by Escape, and by choosing a view', async () => {
  const page = await openPage('#/audit', madeUp);
  const [nav] = page.root.findAll(one => one.localName === 'nav');
  const [views] = nav!.findAll(one => one.attributes.get('class') === 'views');
  const isOpen = () => [nav!.attributes.get('class') ?? '', views!.attributes.get('aria-expanded')];
  const press = async (key: string) => {
    views!.fire('keydown', { key });
    await page.settle();
    return isOpen();
  };
  expect(isOpen()).toEqual(['', 'false']);
  await click(page, 'Views');
  expect(await press('Enter')).toEqual(['open', 'true']);
  expect(await press('Escape')).toEqual(['', 'false']);
  await click(page, 'Views');
  await click(page, 'Policies');
  expect(isOpen()).toEqual(['', 'false']);
  page.close();
});
