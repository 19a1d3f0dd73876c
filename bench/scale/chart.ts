import type { ScaleResults } from './report.ts';

const BAR = 11;
const GAP = 10;
const LABEL = 300;
const WIDTH = 900;
const COLOURS = ['#9db8d9', '#2f5d95', '#16324f', '#0b1a2a'];

/** The medians of the queries at each size, as bars on a common scale. */
export function chart({ sizes }: ScaleResults): string {
  const shown = sizes[0]!.queries.flatMap(({ name, group }, index) =>
    group === 'filter' ? [] : [{ name, values: sizes.map(({ queries }) => queries[index]!.client) }],
  );
  shown.push({ name: 'slowest filter, in the database', values: sizes.map(slowestFilter) });
  const scale = (WIDTH - LABEL - 80) / Math.max(...shown.flatMap(({ values }) => values));
  const step = sizes.length * BAR + GAP;
  const top = 48;
  const height = top + shown.length * step + 10;
  const rows = shown.map(({ name, values }, row) => {
    const y = top + row * step;
    const bars = values.map((value, size) => bar(value, size, y + size * BAR, value * scale));
    return `<text x="${LABEL - 8}" y="${y + (sizes.length * BAR) / 2 + 4}" text-anchor="end">${escapeText(name)}</text>${bars.join('')}`;
  });
  const legend = sizes.map(
    ({ rows }, size) =>
      `<rect x="${LABEL + size * 170}" y="26" width="10" height="10" fill="${COLOURS[size % COLOURS.length]}"/>` +
      `<text x="${LABEL + size * 170 + 15}" y="35">${rows.toLocaleString('en-GB')} reports</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>Median time of a query at each number of reports</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${LABEL}" y="16" font-weight="bold">Median time of a query, milliseconds</text>
${[...legend, ...rows].join('\n')}
</svg>
`;
}

function slowestFilter({ queries }: ScaleResults['sizes'][number]): number {
  return Math.max(...queries.filter(({ group }) => group === 'filter').map(({ database }) => database));
}

function bar(value: number, size: number, y: number, width: number): string {
  return (
    `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 1}" fill="${COLOURS[size % COLOURS.length]}"/>` +
    `<text x="${(LABEL + width + 4).toFixed(1)}" y="${y + BAR - 2}" font-size="10">${value.toFixed(2)}</text>`
  );
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
