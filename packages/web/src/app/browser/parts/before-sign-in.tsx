import type { NoAnswer } from '../api.ts';
import { Problem } from './states.tsx';

/** The page while it checks whether the visitor is signed in. */
export function Starting() {
  return (
    <p class="starting" role="status">
      Loading
    </p>
  );
}

/** The page if the check whether the visitor is signed in has failed. */
export function Stuck({ problem, retry }: { problem: NoAnswer; retry(): void }) {
  return (
    <main class="sign-in">
      <h1>Sightline</h1>
      <Problem problem={problem} retry={retry} />
    </main>
  );
}
