import { bothMoments, moment, shortDay } from '../format.ts';

interface Props {
  at: string;
  /** Shows the day alone; the tooltip has the rest. */
  isDay?: boolean;
}

/** An instant in UTC, with the visitor's time as a tooltip. */
export function Moment({ at, isDay = false }: Props) {
  return (
    <time dateTime={at} title={bothMoments(at)}>
      {isDay ? shortDay(at) : moment(at)}
    </time>
  );
}
