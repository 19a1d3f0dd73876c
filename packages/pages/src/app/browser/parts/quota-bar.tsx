import { count, share } from '../format.ts';

const DAY = 86_400_000;

/** The used part of the month's quota, and a forecast of it for the end of the month. */
export function QuotaBar({ used, limit, now = Date.now() }: { used: number; limit: number; now?: number }) {
  const forecast = forecastOf(used, now);
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
          ? `At this pace it reaches ${count(forecast)} by the end of the month: more than the quota.`
          : `At this pace about ${count(forecast)} by the end of the month: it lasts.`}
      </p>
    </div>
  );
}

/** The quota of an account for own use, which `sightline account create` makes. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function Unlimited({ used, forecast }: { used: number; forecast: number }) {
  return (
    <div class="quota">
      <p>
        <strong>{count(used)}</strong> this month, without a quota
      </p>
      <p class="quiet">At this pace about {count(forecast)} by its end.</p>
    </div>
  );
}

/** The month's sum, if each day goes on as those until now did. */
export function forecastOf(used: number, now: number): number {
  const date = new Date(now);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return Math.round((used / Math.max(now - start, DAY)) * (end - start));
}
