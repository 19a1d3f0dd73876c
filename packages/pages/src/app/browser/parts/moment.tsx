import { bothMoments, clock, exactly, moment, momentAndSecond, shortDay } from '../format.ts';

interface Props {
  at: string;
  /** The part that is shown; the tooltip has all. */
  as?: keyof typeof SHOWN;
}

const SHOWN = { day: shortDay, time: clock, moment, second: momentAndSecond, exactly };

/** An instant in UTC, with the visitor's time as a tooltip. */
export function Moment({ at, as = 'moment' }: Props) {
  return (
    <time dateTime={at} title={bothMoments(at)}>
      {SHOWN[as](at)}
    </time>
  );
}
