import { setImmediate as nextTurn } from 'node:timers/promises';
import { h, options, render } from 'preact';
import { useRef } from 'preact/hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { useStableFocus } from '../src/app/browser/stable-focus.ts';

let root: PageNode;
let update: () => void;
let isObserved: boolean;
beforeEach(() => {
  options.requestAnimationFrame = queueMicrotask;
  root = pageDocument.body.appendChild(new PageNode('div'));
  pageDocument.activeElement = undefined;
  isObserved = false;
  vi.stubGlobal('document', pageDocument);
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(notify: () => void) {
        update = notify;
      }
      observe(node: PageNode, init: object) {
        isObserved =
          node.localName === 'main' && JSON.stringify(init) === '{"childList":true,"subtree":true}';
      }
      disconnect() {
        isObserved = false;
      }
    },
  );
});
afterEach(() => {
  render(null, root as unknown as Element);
  root.remove();
  Reflect.deleteProperty(options, 'requestAnimationFrame');
  vi.unstubAllGlobals();
});

function Content() {
  const element = useRef<HTMLElement>(null);
  useStableFocus(element);
  const list = h('ul', { key: 'list' }, h('li', null, h('button', null)));
  return h('main', { ref: element }, h('section', { tabIndex: 0 }, h('form', null, h('p', null, list))));
}

/** Renders the content with the focus in its list, and removes an element around it. */
async function remove(name: string, { isFocusKept = false } = {}) {
  render(h(Content, {}), root as unknown as Element);
  await nextTurn();
  expect(isObserved).toBe(true);
  root.querySelector('button')!.fire('focusin');
  root.querySelector(name)!.remove();
  if (!isFocusKept) pageDocument.activeElement = pageDocument.body;
  update();
  return pageDocument.activeElement;
}

describe('the focus', () => {
  it.each([
    ['button', 'ul'],
    ['li', 'ul'],
    ['ul', 'form'],
    ['p', 'form'],
    ['form', 'section'],
    ['section', 'main'],
  ])('moves from a removed %s to the nearest %s around it', async (removed, expected) => {
    const focused = await remove(removed);
    expect(focused!.localName).toBe(expected);
    expect('tabIndex' in focused!).toBe(true);
  });

  it('stays where it is if it has moved by itself, or nothing was removed', async () => {
    expect(await remove('ul', { isFocusKept: true })).toBeUndefined();
    root.querySelector('form')!.fire('focusin');
    pageDocument.activeElement = pageDocument.body;
    update();
    expect(pageDocument.activeElement).toBe(pageDocument.body);
  });

  it('moves once for a removed element', async () => {
    expect((await remove('ul'))!.localName).toBe('form');
    pageDocument.activeElement = pageDocument.body;
    update();
    expect(pageDocument.activeElement).toBe(pageDocument.body);
  });

  it('is not watched any more once the content has gone', async () => {
    await remove('button');
    const [main] = root.childNodes;
    render(null, root as unknown as Element);
    await nextTurn();
    expect(isObserved).toBe(false);
    pageDocument.activeElement = pageDocument.body;
    const lost = new PageNode('button');
    main!.fire('focusin', { target: lost });
    update();
    expect(pageDocument.activeElement).toBe(pageDocument.body);
  });
});
