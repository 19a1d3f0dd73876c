import { afterEach, describe, expect, it } from 'vitest';
import { click, openPage, restoreBrowser, serveMadeUp } from '../../../test/support/rendered-page.ts';

afterEach(restoreBrowser);

const madeUp = serveMadeUp(1);

describe('excluded domains', () => {
  const stored = {
    'sightline-excluded acme': '{"blockedHostnames":["ads.example","*.ads.example"],"sender":["x"]}',
  };

  it.each([
    [
      '#/csp?period=7d',
      '#/csp?period=7d&not.blockedHostnames=ads.example&not.blockedHostnames=*.ads.example',
    ],
    ['#/csp/reports', '#/csp/reports?not.blockedHostnames=ads.example&not.blockedHostnames=*.ads.example'],
    ['#/csp/reports/record-1', '#/csp/reports/record-1'],
    ['#/csp?blockedHostnames=a', '#/csp?blockedHostnames=a'],
    ['#/csp?not.blockedHostnames=a', '#/csp?not.blockedHostnames=a'],
    ['#/dmarc', '#/dmarc?not.sender=x'],
    ['#/nel', '#/nel'],
    ['#/audit', '#/audit'],
  ])('lead from %s to %s', async (hash, expected) => {
    const page = await openPage(hash, madeUp, {}, stored);
    expect(page.location.hash).toBe(expected);
    page.close();
  });

  it('are kept with a link, and forgotten with their filter', async () => {
    const page = await openPage('#/csp', madeUp, {}, { 'sightline-excluded acme': '{"sender":["x"]}' });
    await click(page, 'Exclude all hosts of ads.example');
    await click(page, 'Remove filter: not blocked host ads.example');
    await click(page, 'Remove all filters');
    expect(page.actions.filter(action => action.startsWith('stores'))).toMatchInlineSnapshot(`
      [
        "stores sightline-excluded acme as {"sender":["x"],"blockedHostnames":["ads.example","*.ads.example"]}",
        "stores sightline-excluded acme as {"sender":["x"],"blockedHostnames":["*.ads.example"]}",
        "stores sightline-excluded acme as {"sender":["x"]}",
      ]
    `);
    page.close();
  });

  it('are kept once, and only theirs are forgotten', async () => {
    const kept = { 'sightline-excluded acme': '{"blockedHostnames":["ads.example"]}' };
    const page = await openPage('#/csp?not.blockedHostnames=other.example', madeUp, {}, kept);
    await click(page, 'Remove filter: not blocked host other.example');
    expect(page.actions.filter(action => action.startsWith('stores'))).toEqual([]);
    await click(page, 'Exclude all hosts of ads.example');
    expect(page.actions.filter(action => action.startsWith('stores'))).toEqual([
      'stores sightline-excluded acme as {"blockedHostnames":["ads.example","*.ads.example"]}',
    ]);
    page.close();
  });

  it('that cannot be read are none', async () => {
    const page = await openPage('#/csp', madeUp, {}, { 'sightline-excluded acme': '{' });
    expect(page.location.hash).toBe('#/csp');
    page.close();
  });
});
