import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours, and the elements that they examine. All other rules together are faster than these. */
const OF_COLOURS = { 'color-contrast': '[data-tried]', 'link-in-text-block': 'a[href][data-tried]' };

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of WCAG 2.2 AA: all of them, and those about colours. */
const RULES = { all: { runOnly: WCAG }, looks: { runOnly: Object.keys(OF_COLOURS) } };

/**
 * Returns the violations that axe-core finds, as `rule: location`. Colour rules examine one text of each style, and
 * more if axe-core is undecided about the first. A style that was decided on this page is not examined again.
 */
export async function axeFindings(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axe);
    const narrowed = Object.entries(OF_COLOURS).map(([id, selector]) => ({ id, selector }));
    await page.evaluate(rules => (globalThis as unknown as WithAxe).axe.configure({ rules }), narrowed);
  }
  const looks = await page.evaluateHandle(newLooks);
  if (rules === 'looks' && (await looks.evaluate(({ size }) => size)) === 0) return [];
  return page.evaluate(tried, [looks, RULES[rules], RULES.looks] as const);
}

/** The findings of one rule. */
interface AxeResult {
  id: string;
  nodes: { html: string; failureSummary: string; element: Element }[];
}

/** The globals of a page after axe-core's script has run. */
interface WithAxe {
  axe: {
    configure(changes: object): void;
    run(context: object, options: object): Promise<Record<'violations' | 'incomplete', AxeResult[]>>;
  };
  /** A number for each style, and the styles that axe-core has already decided on this page. */
  looks?: { numbers: Map<string, number>; decided: Set<number> };
}

type Looks = Map<number, Element[]>;

/** Runs in a page: returns the violations of these rules; for colours, those in elements with these styles. */
async function tried([looks, rules, ofColours]: readonly [Looks, object, object]): Promise<string[]> {
  const { axe, looks: kept } = globalThis as unknown as WithAxe;
  const found: string[] = [];
  /** Texts that axe-core could not decide. */
  const run = async (texts: Element[], rules: object) => {
    for (const text of texts) text.setAttribute('data-tried', '');
    const options = { ...rules, resultTypes: ['violations', 'incomplete'], elementRef: true };
    const { violations, incomplete } = await axe.run(document, options);
    for (const text of texts) text.removeAttribute('data-tried');
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${id}: ${html.slice(0, 160)} ${failureSummary}`);
    return new Set(incomplete.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
  };
  const undecided = await run(
    [...looks.values()].map(([first]) => first!),
    rules,
  );
  for (const [number, [first]] of looks) if (!undecided.has(first!)) kept!.decided.add(number);
  const others = [...looks.values()].flatMap(([first, ...others]) => (undecided.has(first!) ? others : []));
  if (others.length > 0) await run(others, ofColours);
  return found;
}

/** The appearance of an element, and the part of it that its children inherit. */
interface Look {
  /** The colours and role of the element itself, not those of the surrounding elements. */
  own: string;
  number: number;
  isInText: boolean;
  isClipped: boolean;
}

/** Runs in a page: groups all visible texts by style, except for styles that axe-core has already decided. */
function newLooks(): Looks {
  const page = globalThis as unknown as WithAxe;
  page.looks ??= { numbers: new Map(), decided: new Set() };
  const { numbers, decided } = page.looks;
  const lookOf = new Map<Element | null, Look>();
  const found: Looks = new Map();
  for (const element of document.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine } =
      style;
    const around = lookOf.get(element.parentElement);
    const hasText = [...element.childNodes].some(
      node => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.textContent!),
    );
    const isInText = hasText || (style.display === 'inline' && !!around?.isInText);
    const colours = [
      color,
      backgroundColor,
      backgroundImage,
      opacity,
      fontSize,
      fontWeight,
      textDecorationLine,
    ];
    // Links are compared with the surrounding text. The contrast of disabled elements does not matter.
    const kinds = [
      element.matches('a') && (around?.isInText ? 'link in text' : 'link'),
      element.closest(':disabled, [aria-disabled="true"], label:has(:disabled)') && 'disabled',
    ];
    // A positioned element can overlap anything, so its style counts as unique.
    const isAway = /absolute|fixed/.test(style.position);
    const own = `${[...colours, ...kinds, isAway && `away ${numbers.size}`]}`;
    // The background of a text depends on the surrounding elements.
    const whole = `${around?.number} ${own}`;
    const number = around?.own === own ? around.number : (numbers.get(whole) ?? numbers.size);
    numbers.set(whole, number);
    const isClipped = style.clipPath === 'inset(50%)' || !!around?.isClipped;
    lookOf.set(element, { own, number, isInText, isClipped });
    if (decided.has(number)) continue;
    // axe-core skips single characters.
    const isText = hasText && element.textContent!.trim().length > 1;
    const isField = element.matches('input:not([type="checkbox"], [type="radio"]), select, textarea');
    if (!(isText || isField)) continue;
    // Texts for screen readers are clipped or one pixel wide, and skip links are outside of the screen.
    const { width, right } = element.getBoundingClientRect();
    const isShown =
      element.checkVisibility({ visibilityProperty: true }) && !isClipped && width > 1 && right > 0;
    if (!isShown) continue;
    if (!found.get(number)?.push(element)) found.set(number, [element]);
  }
  return found;
}
