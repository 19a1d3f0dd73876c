import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that ask for colours alone, with what they look at. All others together take less than these on all texts. */
const OF_COLOURS = { 'color-contrast': '[data-tried]', 'link-in-text-block': 'a[href][data-tried]' };

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of WCAG 2.2 AA: all, and those that ask for colours alone. */
const RULES = { all: { runOnly: WCAG }, looks: { runOnly: Object.keys(OF_COLOURS) } };

/**
 * The findings of axe-core by such rules, as `rule: where`. Rules of colours try one text of each look, and its others
 * where axe-core cannot tell by the first. A look that was told about on this page is not tried again.
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

/** The findings of axe-core by a rule. */
interface AxeResult {
  id: string;
  nodes: { html: string; failureSummary: string; element: Element }[];
}

/** The globals of a page once the script of axe-core has run in it. */
interface WithAxe {
  axe: {
    configure(changes: object): void;
    run(context: object, options: object): Promise<Record<'violations' | 'incomplete', AxeResult[]>>;
  };
  /** The number of each look, and those that axe-core has told about on this page. */
  looks?: { numbers: Map<string, number>; told: Set<number> };
}

type Looks = Map<number, Element[]>;

/** In a page: what is wrong by such rules, those of colours with such looks. */
async function tried([looks, rules, ofColours]: readonly [Looks, object, object]): Promise<string[]> {
  const { axe, looks: kept } = globalThis as unknown as WithAxe;
  const found: string[] = [];
  /** Those texts that axe-core cannot tell about. */
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
  const untold = await run(
    [...looks.values()].map(([first]) => first!),
    rules,
  );
  for (const [number, [first]] of looks) if (!untold.has(first!)) kept!.told.add(number);
  const others = [...looks.values()].flatMap(([first, ...others]) => (untold.has(first!) ? others : []));
  if (others.length > 0) await run(others, ofColours);
  return found;
}

/** The look of an element, and the part of it that its children inherit. */
interface Look {
  /** Its own colours and kind, without those of the elements around it. */
  own: string;
  number: number;
  isInText: boolean;
  isClipped: boolean;
}

/** In a page: all visible texts, by how they look; but none whose look axe-core has told about on this page. */
function newLooks(): Looks {
  const page = globalThis as unknown as WithAxe;
  page.looks ??= { numbers: new Map(), told: new Set() };
  const { numbers, told } = page.looks;
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
    // A link is compared with the text around it. A disabled element may look as it likes.
    const kinds = [
      element.matches('a') && (around?.isInText ? 'link in text' : 'link'),
      element.closest(':disabled, [aria-disabled="true"], label:has(:disabled)') && 'disabled',
    ];
    // An element that leaves its place may lie on anything: it looks like nothing else.
    const isAway = /absolute|fixed/.test(style.position);
    const own = `${[...colours, ...kinds, isAway && `away ${numbers.size}`]}`;
    // The elements around a text tell its background.
    const whole = `${around?.number} ${own}`;
    const number = around?.own === own ? around.number : (numbers.get(whole) ?? numbers.size);
    numbers.set(whole, number);
    const isClipped = style.clipPath === 'inset(50%)' || !!around?.isClipped;
    lookOf.set(element, { own, number, isInText, isClipped });
    if (told.has(number)) continue;
    // axe-core tells nothing about a single sign.
    const isText = hasText && element.textContent!.trim().length > 1;
    const isField = element.matches('input:not([type="checkbox"], [type="radio"]), select, textarea');
    if (!(isText || isField)) continue;
    // Texts for screen readers alone are clipped, or a pixel wide; those for the keyboard wait beside the screen.
    const { width, right } = element.getBoundingClientRect();
    const isShown =
      element.checkVisibility({ visibilityProperty: true }) && !isClipped && width > 1 && right > 0;
    if (!isShown) continue;
    if (!found.get(number)?.push(element)) found.set(number, [element]);
  }
  return found;
}
