/** A command cannot do what it was asked. The message is for the operator: what is wrong, and what to do. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  /** The process exits with it. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
