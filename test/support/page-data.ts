import { openPage, type RenderedPage, type Serve } from './rendered-page.ts';

/** Data that tests choose, by the name of the page's query. Accounts without data do not exist. */
export type PageData = Readonly<Record<string, object>>;

export function serveData(data: PageData): Serve {
  return query => Response.json({ data: { account: null, ...data[/query (\w+)/.exec(query)?.[1] ?? ''] } });
}

/** An address, its data, and what the visitor does there. */
export interface Scene {
  title: string;
  hash: string;
  data: PageData;
  props?: object;
  use?(page: RenderedPage): void | Promise<void>;
}

/** Renders each scene and writes its text below its title. Lines at its begin and end that the previous one has, too, are counted. */
export async function writeScenes(scenes: readonly Scene[]): Promise<string> {
  const blocks: string[] = [];
  let previous: readonly string[] = [];
  for (const { title, hash, data, props, use } of scenes) {
    const page = await openPage(hash, serveData(data), props);
    await use?.(page);
    await page.settle();
    const failures = page.actions.filter(action => action.startsWith('fails'));
    // The request at the end is recorded elsewhere.
    const text = page
      .text()
      .replace(/^API request\n.*?^-d .*?$\n?|^\{id=content\}$/gms, '')
      .trim();
    const lines = text.split('\n');
    blocks.push([`=== ${title}`, ...failures, ...collapseAlike(lines, previous)].join('\n'));
    previous = lines;
    page.close();
  }
  return `${blocks.join('\n\n')}\n`;
}

function collapseAlike(lines: readonly string[], previous: readonly string[]): string[] {
  let begin = 0;
  while (begin < lines.length && lines[begin] === previous[begin]) begin++;
  let end = 0;
  while (end < lines.length - begin && lines.at(-1 - end) === previous.at(-1 - end)) end++;
  const writeAlike = (length: number) => (length === 0 ? [] : [`(${length} lines as before)`]);
  return [...writeAlike(begin), ...lines.slice(begin, lines.length - end), ...writeAlike(end)];
}

/** A group of reports with one value for each dimension. */
export const toGroup = (values: string | readonly string[], count: number, more: object = {}) => ({
  keys: [values].flat().map(value => ({ value, domain: null })),
  count,
  days: 1,
  firstSeen: '2026-03-01T00:00:00Z',
  lastSeen: '2026-03-10T00:00:00Z',
  countBefore: null,
  dailyCounts: null,
  ...more,
});

type Group = ReturnType<typeof toGroup>;

/** The answer to a query for groups, with the number of groups that are left out. */
export function toRows(groups: readonly Group[], otherGroups = 0) {
  const totalCount = groups.reduce((sum, { count }) => sum + count, 0) + otherGroups;
  return { groups, otherGroups, otherCount: otherGroups, totalCount, totalReports: groups.length };
}
