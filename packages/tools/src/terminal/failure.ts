/** Exit codes: something was skipped and the rest was done; interrupted by Ctrl-C, as shells report it. */
export const INCOMPLETE = 3;
export const INTERRUPTED = 130;

/** Matches Node's error codes for certificates that are invalid or untrusted. */
export const UNTRUSTED_CERTIFICATE = /CERT|VERIFY/;

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
