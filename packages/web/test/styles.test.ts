import { beforeAll, describe, expect, it } from 'vitest';
import { builtFiles } from '../../../test/support/built.ts';

/** The styles of both pages as they are served. */

const PAGES = ['app', 'docs'] as const;
type Page = (typeof PAGES)[number];
type Scheme = 0 | 1;

const styles = new Map<Page, string>();
/** Everything else of a page: its script and its HTML. */
const contents = new Map<Page, string>();
beforeAll(() => {
  for (const page of PAGES) {
    const files = builtFiles(page).map(({ name, content }) => ({ name, text: content.toString() }));
    styles.set(page, files.find(({ name }) => name.endsWith('.css'))!.text);
    const others = files.filter(({ name }) => !name.endsWith('.css'));
    contents.set(page, others.map(({ text }) => text).join('\n'));
  }
});

const distinct = (matches: Iterable<RegExpMatchArray>) =>
  [...new Set([...matches].map(match => match[1]!))].sort();

const PAIR = 'light-dark\\((#[0-9a-f]{3,6}),\\s*(#[0-9a-f]{3,6})\\)';

/** The colours of a page by name, each for light and for dark screens. */
const listColors = (page: Page) =>
  new Map(
    [...styles.get(page)!.matchAll(new RegExp(`--([\\w-]+):\\s*${PAIR}`, 'g'))].map(
      ([, name, light, dark]) => [name!, [light!, dark!]] as const,
    ),
  );

/** The relative luminance of WCAG 2. */
function toLuminance(color: string): number {
  const digits = color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [toLuminance(one), toLuminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(PAGES)('the styles of the page %s', page => {
  const GROUNDS = ['page', 'panel', 'chip', 'chip-not', 'meter'];

  it.each<[Scheme, string]>([
    [0, 'light'],
    [1, 'dark'],
  ])('have texts that can be read on a screen that is %s (%s)', scheme => {
    const colors = listColors(page);
    const get = (name: string) => colors.get(name)![scheme];
    const poor = ['text', 'quiet', 'link', 'warn', 'focus'].flatMap(text =>
      GROUNDS.filter(ground => contrast(get(text), get(ground)) < 4.5).map(ground => `${text} on ${ground}`),
    );
    expect(poor).toEqual([]);
    expect(toLuminance(get('text')) < toLuminance(get('page'))).toBe(scheme === 0);
  });

  it('have backgrounds and texts of their own that can be read', () => {
    const rules = styles
      .get(page)!
      .matchAll(new RegExp(`background:\\s*${PAIR}[^}]*?[;{]color:\\s*([^;}]+)`, 'g'));
    const poor = [...rules].flatMap(([, light, dark, color]) => {
      const [, onLight = color!, onDark = color!] = new RegExp(PAIR).exec(color!) ?? [];
      return [contrast(light!, onLight), contrast(dark!, onDark)].filter(ratio => ratio < 4.5);
    });
    expect(poor).toEqual([]);
  });

  it('define the colours and fonts that they use', () => {
    const style = styles.get(page)!;
    const used = distinct(style.matchAll(/var\(--([\w-]+)/g));
    const defined = distinct(style.matchAll(/[{;]--([\w-]+):/g));
    // The documentation has no charts.
    if (page === 'app') expect(used).toEqual(defined);
    else expect(defined).toEqual(expect.arrayContaining(used));
  });

  it('are for elements that the page has', () => {
    const classes = distinct(styles.get(page)!.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g));
    expect(classes.length).toBeGreaterThan(20);
    const content = contents.get(page)!;
    // The colours of series are composed of a prefix and the name.
    const names = classes.map(name => name.replace(/^c-/, ''));
    const unknown = names.filter(name => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(content));
    expect(unknown).toEqual([]);
  });
});

it('the colours of a chart differ from each other and from the background', () => {
  const colors = listColors('app');
  const series = [...colors].filter(([name]) => /^(c\d|bad|good)$/.test(name));
  expect(series).toHaveLength(12);
  for (const scheme of [0, 1] as const) {
    const panel = colors.get('panel')![scheme];
    expect(new Set(series.map(([, both]) => both[scheme])).size).toBe(12);
    expect(series.filter(([, both]) => contrast(both[scheme], panel) < 2.5)).toEqual([]);
  }
  const rules = styles.get('app')!.matchAll(/((?:\.c-\w+,?)+)\{fill:var\(--(\w+)\)\}/g);
  const fills = [...rules].flatMap(([, names, color]) => names!.split(',').map(name => [name, color]));
  expect(Object.fromEntries(fills)).toEqual({
    ...Object.fromEntries([...Array(10).keys()].map(at => [`.c-${at}`, `c${at}`])),
    ...{ '.c-bad': 'bad', '.c-good': 'good', '.c-noise': 'noise', '.c-extension': 'noise' },
  });
});
