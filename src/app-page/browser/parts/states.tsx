import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NoAnswer } from '../api.ts';
import type { Asked } from '../use-answer.ts';

/** A place for what is asked for: the last answer stays while the next is on its way, so that nothing jumps. */
export function Answered<Data>({
  asked,
  children,
}: {
  asked: Asked<Data>;
  children(data: Data): ComponentChildren;
}) {
  const { data, error, isLoading, retry } = asked;
  return (
    <div aria-busy={isLoading} class={(isLoading || error) && data ? 'answered stale' : 'answered'}>
      {error && <Problem problem={error} retry={retry} isOnTop={data !== undefined} />}
      {data ? <div class="answer">{children(data)}</div> : !error && <Skeleton />}
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
  /** Whether an earlier answer stands below. */
  isOnTop?: boolean;
}

/** What went wrong, and how it goes on: by itself where a rate limit ends. */
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
