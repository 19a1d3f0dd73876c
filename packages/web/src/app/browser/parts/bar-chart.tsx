import { useMemo, useState } from 'preact/hooks';
import type { Color } from '../colors.ts';
import { count, short } from '../format.ts';
import { useWidth } from '../use-width.ts';
import { Block } from './bar-block.tsx';
import { isWithin, Tip, usePointer } from './bar-pointer.tsx';
import type { Bar, BarSeries, Mark } from './bars.ts';

/** An entry of the legend: a colour, its name and its total. */
export interface Entry {
  name: string;
  color: Color;
  sum: number;
  href?: string;
}

interface Props {
  /** The accessible description of the chart, as a sentence. */
  title: string;
  /** The bars from left to right. */
  bars: Bar[];
  series: BarSeries[];
  /** The entries of the legend. Default: the series. */
  legend?: Entry[];
  /** Returns the link that dragging from one bar to another opens. */
  hrefOfSeveral?(first: number, last: number): string;
}

const USUAL_WIDTH = 960;
const WEEK = 7;
/** Average width of a character in a label, and minimum gap between labels, in pixels. */
const CHARACTER = 7.2;
const GAP = 12;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 14;

/** A stacked bar chart, with a table of the same numbers below. */
export function BarChart({ title, bars, series: all, legend = listEntries(all), hrefOfSeveral }: Props) {
  // The hidden series. Hiding a large series makes smaller ones visible.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const series = all.filter(({ name }) => !hidden.has(name));
  const toggle = (name: string) =>
    setHidden(before => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  const { element, width } = useWidth<SVGSVGElement>(USUAL_WIDTH);
  const totals = useMemo(
    () => bars.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    [bars, all, hidden],
  );
  const top = niceTop(Math.max(1, ...totals));
  const step = (width - LEFT) / Math.max(1, bars.length);
  const scale = (value: number) => (value / top) * (HEIGHT - BOTTOM - TOP);
  const isTight = bars.some(({ label, short }) => short && label.length * CHARACTER + GAP > step);
  // Short labels are weekdays, which are ambiguous in a chart of more than a week.
  const isShort =
    isTight && bars.length <= WEEK && bars.every(({ short }) => short && short.length * CHARACTER <= step);
  const labels = bars.map(({ label, short }) => (isShort ? short! : label));
  const longest = Math.max(0, ...labels.map(label => label.length)) * CHARACTER;
  const every = isShort ? 1 : Math.max(1, Math.ceil((longest + GAP) / step));
  /** Index of the first bar whose label fits into the chart. */
  const offset = Math.max(0, Math.ceil(longest / 2 / step - 0.5)) % every;
  const { pointed, setPointed, from, handlers } = usePointer(bars, hrefOfSeveral);
  return (
    <figure class="chart" onPointerLeave={() => setPointed(undefined)}>
      <Legend entries={legend} series={all} hidden={hidden} toggle={toggle} />
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
            {bar.marks && bar.marks.length > 0 && <Marks marks={bar.marks} x={LEFT + (at + 0.5) * step} />}
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
        <summary>Data table</summary>
        <Numbers title={title} bars={bars} series={series} totals={totals} />
      </details>
    </figure>
  );
}

/** Marks a bar in which insights began. The tooltip and the list of insights name them. */
function Marks({ marks, x }: { marks: readonly Mark[]; x: number }) {
  const isUrgent = marks.some(mark => mark.isUrgent);
  return (
    <g class={isUrgent ? 'mark urgent' : 'mark'}>
      <path d={`M${x - 5} 1h10l-5 8z`} />
    </g>
  );
}

/**
 * A label below its bar, within the chart. A label that would overlap the previous one is omitted.
 * @param apart distance between the centres of two labelled bars
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
  series: BarSeries[];
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

function listEntries(series: readonly BarSeries[]): Entry[] {
  return series.map(({ name, color, values }) => ({ name, color, sum: sum(values) }));
}

interface LegendProps {
  entries: readonly Entry[];
  series: readonly BarSeries[];
  hidden: ReadonlySet<string>;
  toggle(name: string): void;
}

function Legend({ entries, series, hidden, toggle }: LegendProps) {
  if (entries.length === 0) return null;
  // Entries beyond the largest ones share the last series.
  const seriesAt = (at: number) => series[Math.min(at, series.length - 1)]?.name ?? '';
  return (
    <ul class="legend">
      {entries.map(({ name, color, sum, href }, at) => (
        <li key={name} class={hidden.has(seriesAt(at)) ? 'aside' : undefined}>
          <button
            type="button"
            class="swatch-button"
            aria-pressed={hidden.has(seriesAt(at))}
            aria-label={`Hide ${seriesAt(at)}`}
            title={`Hide ${seriesAt(at)}`}
            disabled={series.length < 2}
            onClick={() => toggle(seriesAt(at))}
          >
            <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <Block color={color} width={10} height={10} rx={2} />
            </svg>
          </button>
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
  return `${count(sum(totals))} in all, at most ${count(Math.max(0, ...totals))} in one bar`;
}

function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Rounds the maximum of an axis up to a round number. Its half is also a label, so the half is a round integer too. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = power === 1 ? [2, 4, 6, 8, 10] : [1, 2, 3, 4, 5, 6, 8, 10];
  return factors.map(factor => factor * power).find(top => top >= value)!;
}
