import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import type { NoAnswer } from '../api.ts';
import type { QueryAnswer, QueryRequest } from '../use-answer.ts';

interface Props<Data, Variables> {
  query: QueryRequest<Data, Variables>;
  show(answer: QueryAnswer<Data, Variables>): ComponentChildren;
  getName?(address: Address): string;
}

/** Time in milliseconds after which a request counts as slow, and the visitor can retry it. */
const LONG = 10_000;

/**
 * Shows a result, or a placeholder until the first one loads. During a request, the previous result stays visible and
 * is marked as stale. If the request fails, it stays only if it belongs to the same query.
 */
export function Answered<Data, Variables>({ query, show: Show, getName: nameOf }: Props<Data, Variables>) {
  const { answer, isCurrent, isLoading, error, retry } = query;
  const isShown = answer !== undefined && (isCurrent || (isLoading && !error));
  const isStale = isShown && (!isCurrent || error !== undefined);
  return (
    <div aria-busy={isLoading} class={isStale ? 'answered stale' : 'answered'}>
      {error && <Problem problem={error} retry={retry} isOnTop={isShown} />}
      {isLoading && <LongWait retry={retry} />}
      {isShown && !isCurrent && (
        <p class="still" role="status">
          Still showing {nameOf?.(answer.address) ?? 'the previous result'}
        </p>
      )}
      {isShown ? (
        <div class="answer">
          <Show {...answer} />
        </div>
      ) : (
        !error && <Skeleton />
      )}
    </div>
  );
}

/** A message about a slow request, with a button to retry it. */
function LongWait({ retry }: { retry(): void }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div class="notice problem" role="status">
      <p>Still loading.</p>
      <button
        type="button"
        onClick={() => {
          setLong(false);
          retry();
        }}
      >
        Retry
      </button>
    </div>
  );
}

function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">Loading</span>
      <div class="block tall" />
      <div class="block" />
      <div class="block" />
    </div>
  );
}

interface ProblemProps {
  problem: Pick<NoAnswer, 'message' | 'again'>;
  retry?(): void;
  /** True if an earlier result is shown below the error. */
  isOnTop?: boolean;
}

/** An error message with a button to retry. A request that exceeded the rate limit is retried automatically. */
export function Problem({ problem: { message, again }, retry, isOnTop = false }: ProblemProps) {
  useEffect(() => {
    if (again === undefined || !retry) return;
    const timer = setTimeout(retry, Math.max(0, again - Date.now()) + 100);
    return () => clearTimeout(timer);
  }, [again]);
  return (
    <div class="notice problem" role="alert">
      <p>
        <strong>{message}</strong>{' '}
        {again !== undefined && (
          <Countdown to={again} words={retry ? 'Retrying automatically' : 'Try again'} />
        )}
        {isOnTop && ' The data below are from the last successful request.'}
      </p>
      {retry && again === undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function Countdown({ to, words }: { to: number; words: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((to - now) / 1000));
  return (
    <span>
      {words} {seconds > 0 ? `in ${seconds} s` : 'now'}.
    </span>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="notice empty">{children}</p>;
}
