import { bothMoments, clock, exactly, moment, momentAndSecond, shortDay } from '../format.ts';

interface Props {
  at: string;
  /** The part of the instant to show. The tooltip shows the complete instant. */
  as?: keyof typeof SHOWN;
}

const SHOWN = { day: shortDay, time: clock, moment, second: momentAndSecond, exactly };

/** An instant in UTC, with the visitor's local time as a tooltip. */
export function Moment({ at, as = 'moment' }: Props) {
  return (
    <time dateTime={at} title={bothMoments(at)}>
      {SHOWN[as](at)}
    </time>
  );
}
