import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import type { NoAnswer } from '../api.ts';
import type { Answer, Asked } from '../use-answer.ts';

interface Props<Data, Variables> {
  asked: Asked<Data, Variables>;
  show(answer: Answer<Data, Variables>): ComponentChildren;
  nameOf?(address: Address): string;
}

/** Milliseconds after which a wait is said to be long. */
const LONG = 10_000;

/**
 * A place for an answer. The last one stays while the next is on its way, so that nothing jumps, and names its
 * subject. Where the next fails, only an answer to the same question stays.
 */
export function Answered<Data, Variables>({ asked, show: Show, nameOf }: Props<Data, Variables>) {
  const { answer, isCurrent, isLoading, error, retry } = asked;
  const isShown = answer !== undefined && (isCurrent || (isLoading && !error));
  const isStale = isShown && (!isCurrent || error !== undefined);
  return (
    <div aria-busy={isLoading} class={isStale ? 'answered stale' : 'answered'}>
      {error && <Problem problem={error} retry={retry} isOnTop={isShown} />}
      {isLoading && <LongWait retry={retry} />}
      {isShown && !isCurrent && (
        <p class="still" role="status">
          Still of {nameOf?.(answer.address) ?? 'before'}
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

/** A request that hangs is no reason to wait without end. */
function LongWait({ retry }: { retry(): void }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div class="notice problem" role="status">
      <p>This takes long.</p>
      <button
        type="button"
        onClick={() => {
          setLong(false);
          retry();
        }}
      >
        Ask again
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
  /** True if an earlier answer stands below. */
  isOnTop?: boolean;
}

/** An error, and the way on: after a rate limit the page goes on by itself. */
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
        {again !== undefined && <Countdown to={again} words={retry ? 'It goes on by itself' : 'Try again'} />}
        {isOnTop && ' What stands below is from before.'}
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
