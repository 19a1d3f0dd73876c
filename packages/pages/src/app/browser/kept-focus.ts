import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The elements that the focus can go to from within. */
const AROUND = 'section, form, fieldset, ul, main';

/**
 * Keeps the place of a visitor who uses the keyboard or a screen reader. Where an answer removes the element with the
 * focus, the one around it gets the focus. Otherwise the document would get it, and Tab would begin at its top.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = root;
    if (!current) return;
    let last: Element | undefined;
    let around: HTMLElement[] = [];
    const note = ({ target }: FocusEvent) => {
      last = target as Element;
      around = aroundOf(last);
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

/** From the inside out. */
function aroundOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let next = element.parentElement?.closest<HTMLElement>(AROUND); next; ) {
    found.push(next);
    next = next.parentElement?.closest<HTMLElement>(AROUND);
  }
  return found;
}
