/** An item, or a part of one, that cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  /** One of few sentences, by which skipped items are counted. */
  readonly reason: string;
  /** What is particular to this item; '' for nothing. */
  readonly detail: string;

  constructor(reason: string, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
  }
}

/** As `Unreadable`, whatever was thrown: a parser that fails in a new way must not end an import. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  return new Unreadable('cannot be read', error instanceof Error ? error.message : String(error));
}
