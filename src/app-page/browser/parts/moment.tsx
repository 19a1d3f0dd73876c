import { localMoment, moment } from '../format.ts';

/** An instant in UTC, with the visitor's time as a tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={localMoment(at)}>
      {moment(at)}
    </time>
  );
}
