import { useContext, useEffect, useState } from 'preact/hooks';
import { type Address, atPath, withParams } from '../address.ts';
import { ArrivedDocument, type ArrivedReportsFragment } from '../documents/documents.generated.ts';
import { dayBefore } from '../format.ts';
import { REPORT_TYPES } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';
import { Link } from './link.tsx';

/** Returns the start of the search for a first report, which covers the longest period that the page offers. */
export const getSearchStart = () => dayBefore(89);

/** Interval between two queries in milliseconds. Six requests per minute are well below every rate limit. */
const PAUSE = 10_000;

/** Returns a report type that has reports; undefined if there are none. */
export function typeArrived({ lastSevenDays, violations, mail, sessions }: ArrivedReportsFragment) {
  const older = { csp: violations, dmarc: mail, tls_rpt: sessions } as Record<string, typeof mail>;
  return REPORT_TYPES.find(
    ({ type }) => (older[type]?.totalReports ?? 0) > 0 || lastSevenDays.some(day => day[type] > 0),
  );
}

/** Polls for the account's first report while the tab is visible, and announces it. */
export function FirstReport({ address }: { address: Address }) {
  const { account, renew } = useContext(SessionContext);
  const [variables] = useState({ account, from: getSearchStart() });
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
    return callWhenVisible(Math.max(PAUSE, again - Date.now()), retry);
  }, [isThere, isLoading]);
  return (
    <p role="status" class="notice first-report">
      {arrived ? (
        <>
          <strong>The first report has arrived.</strong>{' '}
          <Link to={withParams(atPath(address, [arrived.type]), { period: '90d' })}>{arrived.label}</Link>
        </>
      ) : (
        <>Waiting for the first report. This page checks every ten seconds and updates automatically.</>
      )}
    </p>
  );
}

/** Calls back after a delay, or later as soon as the tab is visible. Returns a function that cancels the call. */
function callWhenVisible(wait: number, call: () => void): () => void {
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
