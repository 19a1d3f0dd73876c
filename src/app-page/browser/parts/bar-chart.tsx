import { useMemo } from 'preact/hooks';
import { count, short } from '../format.ts';
import { useWidth } from '../use-width.ts';

export interface Series {
  name: string;
  /** One of the palette's, 0 to 9; noise has its own. */
  color: number | 'noise' | 'bad' | 'good';
  values: number[];
}

interface Props {
  /** What it shows, as a sentence. */
  title: string;
  /** Of the bars, left to right; `label` stands below, `name` is said in full. */
  bars: { label: string; name: string; href?: string | undefined }[];
  series: Series[];
}

const USUAL_WIDTH = 960;
/** What a label below a bar takes. */
const LABEL = 64;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 8;

/** Stacked bars, with the same numbers as a table below. */
export function BarChart({ title, bars, series }: Props) {
  const { element, width } = useWidth<SVGSVGElement>(USUAL_WIDTH);
  const totals = useMemo(
    () => bars.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    [bars, series],
  );
  const top = niceTop(Math.max(1, ...totals));
  const step = (width - LEFT) / Math.max(1, bars.length);
  const scale = (value: number) => (value / top) * (HEIGHT - BOTTOM - TOP);
  const every = Math.max(1, Math.ceil(LABEL / step));
  return (
    <figure class="chart">
      <Legend series={series} />
      <svg
        ref={element}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. ${sentence(totals)}`}
      >
        {[0, 0.5, 1].map(part => (
          <g key={part} class="grid">
            <line
              x1={LEFT}
              x2={width}
              y1={HEIGHT - BOTTOM - scale(top * part)}
              y2={HEIGHT - BOTTOM - scale(top * part)}
            />
            <text x={LEFT - 6} y={HEIGHT - BOTTOM - scale(top * part) + 4} text-anchor="end">
              {short(top * part)}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.name} class="bar">
            <title>{tooltip(bar.name, series, at)}</title>
            <rect class="hit" x={LEFT + at * step} y={0} width={step} height={HEIGHT - BOTTOM} />
            <Stack
              series={series}
              at={at}
              x={LEFT + at * step + step * 0.12}
              width={step * 0.76}
              scale={scale}
            />
            {at % every === 0 && <Label text={bar.label} x={LEFT + (at + 0.5) * step} width={width} />}
          </g>
        ))}
      </svg>
      <details>
        <summary>The same as a table</summary>
        <Numbers title={title} bars={bars} series={series} totals={totals} />
      </details>
    </figure>
  );
}

/** Below the middle of a bar, but not beyond the picture. */
function Label({ text, x, width }: { text: string; x: number; width: number }) {
  const isAtEnd = x + LABEL / 2 > width;
  return (
    <text x={isAtEnd ? width : x} y={HEIGHT - 6} text-anchor={isAtEnd ? 'end' : 'middle'}>
      {text}
    </text>
  );
}

interface StackProps {
  series: Series[];
  at: number;
  x: number;
  width: number;
  scale(value: number): number;
}

function Stack({ series, at, x, width, scale }: StackProps) {
  let below = HEIGHT - BOTTOM;
  return (
    <>
      {series.map(({ name, color, values }) => {
        const height = scale(values[at] ?? 0);
        below -= height;
        return (
          height > 0 && <rect key={name} class={`c-${color}`} x={x} y={below} width={width} height={height} />
        );
      })}
    </>
  );
}

function Legend({ series }: { series: Pick<Series, 'name' | 'color'>[] }) {
  if (series.length < 2) return null;
  return (
    <figcaption class="legend">
      {series.map(({ name, color }) => (
        <span key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`c-${color}`} width="10" height="10" rx="2" />
          </svg>
          <bdi class="clip">{name}</bdi>
        </span>
      ))}
    </figcaption>
  );
}

function Numbers({ title, bars, series, totals }: Props & { totals: number[] }) {
  return (
    <section class="scroll" tabIndex={0} aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            {series.map(({ name }) => (
              <th scope="col" class="number" key={name}>
                <bdi class="clip">{name}</bdi>
              </th>
            ))}
            {series.length > 1 && (
              <th scope="col" class="number">
                All
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, at) => (
            <tr key={bar.name}>
              <th scope="row">{bar.href ? <a href={bar.href}>{bar.name}</a> : bar.name}</th>
              {series.map(({ name, values }) => (
                <td class="number" key={name}>
                  {count(values[at] ?? 0)}
                </td>
              ))}
              {series.length > 1 && <td class="number">{count(totals[at]!)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function tooltip(name: string, series: Series[], at: number): string {
  const lines = series
    .filter(({ values }) => values[at])
    .map(one => `${one.name}: ${count(one.values[at]!)}`);
  return [name, ...(lines.length > 0 ? lines : ['none'])].join('\n');
}

function sentence(totals: number[]): string {
  const all = totals.reduce((sum, value) => sum + value, 0);
  return `${count(all)} in all, at most ${count(Math.max(0, ...totals))} in one bar`;
}

/** The next 1, 2 or 5 of its power of ten, so that half of it is a round number, too. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 6, 8, 10].map(factor => factor * power).find(top => top >= value)!;
}
