import { useMemo } from 'preact/hooks';
import type { Color } from '../colors.ts';
import { count, short } from '../format.ts';
import { useWidth } from '../use-width.ts';
import { Block } from './bar-block.tsx';
import { isWithin, Tip, usePointer } from './bar-pointer.tsx';
import type { Bar, Series } from './bars.ts';

/** An entry of the legend: a colour, its name and its sum. */
export interface Entry {
  name: string;
  color: Color;
  sum: number;
  href?: string;
}

interface Props {
  /** A sentence on what it shows. */
  title: string;
  /** Left to right. */
  bars: Bar[];
  series: Series[];
  /** It is made of the series where it is left out. */
  legend?: Entry[];
  /** The address of the period from one bar to another, where dragging leads. */
  hrefOfSeveral?(first: number, last: number): string;
}

const USUAL_WIDTH = 960;
const WEEK = 7;
/** Pixels of a character of a label, and of the space beside it. */
const CHARACTER = 7.2;
const GAP = 12;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 8;

/** Stacked bars, with the same numbers as a table below. */
export function BarChart({ title, bars, series, legend = entriesOf(series), hrefOfSeveral }: Props) {
  const { element, width } = useWidth<SVGSVGElement>(USUAL_WIDTH);
  const totals = useMemo(
    () => bars.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    [bars, series],
  );
  const top = niceTop(Math.max(1, ...totals));
  const step = (width - LEFT) / Math.max(1, bars.length);
  const scale = (value: number) => (value / top) * (HEIGHT - BOTTOM - TOP);
  const isTight = bars.some(({ label, short }) => short && label.length * CHARACTER + GAP > step);
  // More than a week of weekdays names no day.
  const isShort =
    isTight && bars.length <= WEEK && bars.every(({ short }) => short && short.length * CHARACTER <= step);
  const labels = bars.map(({ label, short }) => (isShort ? short! : label));
  const longest = Math.max(0, ...labels.map(label => label.length)) * CHARACTER;
  const every = isShort ? 1 : Math.max(1, Math.ceil((longest + GAP) / step));
  /** The first label that does not begin before the picture. */
  const offset = Math.max(0, Math.ceil(longest / 2 / step - 0.5)) % every;
  const { pointed, setPointed, from, handlers } = usePointer(bars, hrefOfSeveral);
  return (
    <figure class="chart" onPointerLeave={() => setPointed(undefined)}>
      <Legend entries={legend} />
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
        <text x={LEFT - 6} y={HEIGHT - 6} text-anchor="end">
          UTC
        </text>
        {bars.map((bar, at) => (
          <g
            key={bar.name}
            class={['bar', bar.href && 'leads', isWithin(at, from, pointed) && 'within']
              .filter(Boolean)
              .join(' ')}
            {...handlers(at)}
          >
            <rect class="hit" x={LEFT + at * step} y={0} width={step} height={HEIGHT - BOTTOM} />
            <Stack
              series={series}
              at={at}
              x={LEFT + at * step + step * 0.12}
              width={step * 0.76}
              scale={scale}
            />
            {at % every === offset && (
              <Label text={labels[at]!} x={LEFT + (at + 0.5) * step} width={width} apart={every * step} />
            )}
          </g>
        ))}
      </svg>
      {pointed !== undefined && bars[pointed] && (
        <Tip
          bar={bars[pointed]}
          series={series}
          at={pointed}
          place={(LEFT + (pointed + 0.5) * step) / width}
        />
      )}
      <details>
        <summary>The same as a table</summary>
        <Numbers title={title} bars={bars} series={series} totals={totals} />
      </details>
    </figure>
  );
}

/**
 * Below the middle of a bar, but not beyond the picture: one that has no room beside the label before is left out.
 * @param apart from the middle of one labelled bar to that of the next
 */
function Label({ text, x, width, apart }: { text: string; x: number; width: number; apart: number }) {
  const half = (text.length * CHARACTER) / 2;
  const isAtEnd = x + half > width;
  if (isAtEnd && width - 2 * half < x - apart + half + GAP / 2) return null;
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
        return height > 0 && <Block key={name} color={color} x={x} y={below} width={width} height={height} />;
      })}
    </>
  );
}

function entriesOf(series: readonly Series[]): Entry[] {
  return series.map(({ name, color, values }) => ({ name, color, sum: sumOf(values) }));
}

function Legend({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <ul class="legend">
      {entries.map(({ name, color, sum, href }) => (
        <li key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <Block color={color} width={10} height={10} rx={2} />
          </svg>
          {href ? (
            <a class="clip" href={href}>
              {name}
            </a>
          ) : (
            <bdi class="clip" title={name.slice(0, 500)}>
              {name}
            </bdi>
          )}
          <span class="quiet">{count(sum)}</span>
        </li>
      ))}
    </ul>
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

function sentence(totals: number[]): string {
  return `${count(sumOf(totals))} in all, at most ${count(Math.max(0, ...totals))} in one bar`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The next round number whose half is round, too; reports are counted, so that half is a whole number. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = power === 1 ? [2, 4, 6, 8, 10] : [1, 2, 3, 4, 5, 6, 8, 10];
  return factors.map(factor => factor * power).find(top => top >= value)!;
}
