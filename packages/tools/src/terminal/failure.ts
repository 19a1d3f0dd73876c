/** The error of a failed command. Its message describes the problem and the solution. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  /** The exit code of the process. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
