import { MS_PER_DAY } from '../durations.ts';
import { count, share } from '../format.ts';

/** A bar that shows how much of the month's quota is used, with a forecast for the end of the month. */
export function QuotaBar({ used, limit, now = Date.now() }: { used: number; limit: number; now?: number }) {
  const forecast = describeForecast(used, now);
  if (limit >= NO_LIMIT) return <Unlimited used={used} forecast={forecast} />;
  const isShort = limit > 0 && forecast > limit;
  const whole = Math.max(limit, forecast, 1);
  return (
    <div class="quota">
      <p>
        <strong>{count(used)}</strong> of {count(limit)} used ({share(used, limit)})
      </p>
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${share(used, limit)} of the quota used, ${share(forecast, limit)} expected by the end of the month`}
      >
        <rect class="track" width="100" height="6" />
        <rect class="forecast" width={(forecast / whole) * 100} height="6" />
        <rect class={isShort ? 'c-bad' : 'c-0'} width={(used / whole) * 100} height="6" />
      </svg>
      <p class={isShort ? 'warn' : 'quiet'}>
        {isShort
          ? `At this pace, usage reaches ${count(forecast)} by the end of the month, which exceeds the quota.`
          : `At this pace, usage reaches about ${count(forecast)} by the end of the month, which is within the quota.`}
      </p>
    </div>
  );
}

/** The quota of an account without a limit, as created by `sightline account create`. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function Unlimited({ used, forecast }: { used: number; forecast: number }) {
  return (
    <div class="quota">
      <p>
        <strong>{count(used)}</strong> this month, without a quota
      </p>
      <p class="quiet">At this pace, usage reaches about {count(forecast)} by the end of the month.</p>
    </div>
  );
}

/** Extrapolates the month's total from its usage so far. */
export function describeForecast(used: number, now: number): number {
  const date = new Date(now);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return Math.round((used / Math.max(now - start, MS_PER_DAY)) * (end - start));
}
