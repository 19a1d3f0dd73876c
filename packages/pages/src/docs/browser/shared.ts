import { useEffect, useState } from 'preact/hooks';
import type { Language } from './samples.ts';

/** A value that all parts of the page see. */
export class Shared<Value> {
  #value: Value;
  #told = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    for (const tell of this.#told) tell(value);
  }

  /** Tells of each change. Answers with what ends that. */
  told(tell: (value: Value) => void): () => void {
    this.#told.add(tell);
    return () => void this.#told.delete(tell);
  }

  /** For a component, which is drawn anew at each change. */
  use(): Value {
    const [value, tell] = useState(this.#value);
    useEffect(() => this.told(next => tell(next)), []);
    return value;
  }
}

/** The visitor's key: in memory alone, so that it is gone with the page. */
export const key = new Shared('');

export const language = new Shared<Language>('curl');
