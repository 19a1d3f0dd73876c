/** The reason why a line of the feed is refused, and the field. */
export class BadLine extends Error {
  override name = 'BadLine';
  /** Path of the field, such as `members[2].role`; '' for the line itself. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}
