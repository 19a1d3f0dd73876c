import type { RowDecoder } from './row-decoder.ts';
import type { RowFormat } from './row-format.ts';

/** Rows as objects. */
export class ObjectRows {
  readonly rows: object[] = [];
  #decode: RowDecoder | undefined;

  describe({ decode }: RowFormat): void {
    this.#decode = decode;
  }

  add(bytes: Buffer, at: number, end: number, text: () => string): void {
    this.rows.push(this.#decode!(bytes, text(), at, end));
  }

  flush(): void {}
}
