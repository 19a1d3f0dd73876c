import { useContext, useEffect, useState } from 'preact/hooks';
import { type Address, changed, elsewhere } from '../address.ts';
import { ArrivedDocument, type ArrivedReportsFragment } from '../documents/documents.generated.ts';
import { dayBefore } from '../format.ts';
import { REPORT_TYPES } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';
import { Link } from './link.tsx';

/** From when on a first report is looked for: the longest period that the page offers. */
export const arrivedSince = () => dayBefore(89);

/** Milliseconds from an answer to the next question: six requests a minute are few of any limit. */
const PAUSE = 10_000;

/** A type of which reports have come; undefined where none has. */
export function typeArrived({ lastSevenDays, violations, mail, sessions }: ArrivedReportsFragment) {
  const older = { csp: violations, dmarc: mail, tls_rpt: sessions } as Record<string, typeof mail>;
  return REPORT_TYPES.find(
    ({ type }) => (older[type]?.totalReports ?? 0) > 0 || lastSevenDays.some(day => day[type] > 0),
  );
}

/** Waits for the first report of an account, while somebody looks, and says when it is there. */
export function FirstReport({ address }: { address: Address }) {
  const { account, renew } = useContext(SessionContext);
  const [variables] = useState({ account, from: arrivedSince() });
  const { answer, error, isLoading, retry } = useAnswer(ArrivedDocument, variables, address);
  const { account: found } = answer?.data ?? {};
  const arrived = found ? typeArrived(found) : undefined;
  const isThere = arrived !== undefined;
  const again = error?.again ?? 0;
  useEffect(() => {
    if (isThere) renew();
  }, [isThere]);
  useEffect(() => {
    if (isThere || isLoading) return;
    return whenSeen(Math.max(PAUSE, again - Date.now()), retry);
  }, [isThere, isLoading]);
  return (
    <p role="status" class="notice first-report">
      {arrived ? (
        <>
          <strong>The first report is here.</strong>{' '}
          <Link to={changed(elsewhere(address, [arrived.type]), { period: '90d' })}>{arrived.label}</Link>
        </>
      ) : (
        <>Waiting for the first report. This page looks every ten seconds, and goes on by itself.</>
      )}
    </p>
  );
}

/** Calls after so many milliseconds, or when the tab is next seen; not at all once the result is called. */
function whenSeen(wait: number, call: () => void): () => void {
  const look = () => {
    if (document.hidden) return;
    stop();
    call();
  };
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look);
    look();
  }, wait);
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
  return stop;
}
