import { useEffect, useState } from 'preact/hooks';
import type { Language } from './samples.ts';

/** An observable value that all parts of the page share. */
export class SharedValue<Value> {
  #value: Value;
  #listeners = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  /** Registers a listener for changes. Returns the function that removes it. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A hook that renders the component again when the value changes. */
  use(): Value {
    const [value, listener] = useState(this.#value);
    useEffect(() => this.subscribe(next => listener(next)), []);
    return value;
  }
}

/** The visitor's key. It is never stored. */
export const key = new SharedValue('');

export const language = new SharedValue<Language>('curl');
