import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
    <div aria-busy={isLoading} class={isLoading && data ? 'answered stale' : 'answered'}>
      {error && <Problem message={error.message} again={error.again} retry={retry} />}
      {data ? children(data) : !error && <Skeleton />}
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
  message: string;
  again?: number | undefined;
  retry?(): void;
}

export function Problem({ message, again, retry }: ProblemProps) {
  return (
    <div class="notice problem" role="alert">
      <p>
        <strong>{message}</strong> {again !== undefined && <GoesOn again={again} />}
      </p>
      {retry && again === undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function GoesOn({ again }: { again: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((again - now) / 1000));
  return <span>It goes on by itself in {seconds} s.</span>;
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="notice empty">{children}</p>;
}
