/** Why a line of the feed is refused: what is wrong, and with which field. */
export class BadLine extends Error {
  override name = 'BadLine';
  /** Path of the field, such as `members[2].role`; '' where it is the line as a whole. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}
