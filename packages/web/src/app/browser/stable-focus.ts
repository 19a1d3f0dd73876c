import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Selects the containers that can receive focus when a focused element in them is removed. */
const AROUND = 'section, form, fieldset, ul, main';

/**
 * A hook that moves focus to the container if an update removes the focused element. Otherwise focus would move to the
 * document, and keyboard users would start again at the top.
 */
export function useStableFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = root;
    if (!current) return;
    let last: Element | undefined;
    let around: HTMLElement[] = [];
    const note = ({ target }: FocusEvent) => {
      last = target as Element;
      around = listAround(last);
    };
    const restore = () => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const place = around.find(({ isConnected }) => isConnected);
      last = undefined;
      if (!place) return;
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restore);
    observer.observe(current, { childList: true, subtree: true });
    current.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      current.removeEventListener('focusin', note);
    };
  }, []);
}

/** Returns the containers of an element, the innermost first. */
function listAround(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let next = element.parentElement?.closest<HTMLElement>(AROUND); next; ) {
    found.push(next);
    next = next.parentElement?.closest<HTMLElement>(AROUND);
  }
  return found;
}
