import { onTestFinished, vi } from 'vitest';

type Listener = (what: unknown) => void;

const listeners = (event: string | symbol) => process.listeners(event as NodeJS.Signals) as Listener[];

/**
 * Lets a test end code that ends its process, such as a command: this process continues. Call it before the code.
 * @returns a function that sends an event, such as a signal, to the listeners that have been added in the meantime
 */
export function simulateExit(onExit: (code: number) => void): (event: string, what?: unknown) => void {
  const events = () => [...process.eventNames(), 'SIGTERM'];
  const before = new Map(events().map(event => [event, listeners(event)]));
  const added = (event: string | symbol) =>
    listeners(event).filter(listener => !before.get(event)?.includes(listener));
  const exit = vi.spyOn(process, 'exit').mockImplementation(((code: number) => onExit(code)) as never);
  onTestFinished(() => {
    exit.mockRestore();
    for (const event of events()) for (const listener of added(event)) process.off(event, listener);
  });
  return (event, what = event) => {
    for (const listener of added(event)) listener(what);
  };
}
