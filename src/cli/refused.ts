import { CliError } from './errors.ts';

export interface Refusal {
  readonly code: string;
  readonly target: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number;
  readonly exitCode?: number;
}

/** An error answer of the jar, with its code and target. */
export class RefusedByJar extends CliError {
  readonly code: string;
  readonly target: string | undefined;
  readonly status: number;

  constructor(message: string, { code, target, status, exitCode }: Refusal) {
    super(message, exitCode);
    this.code = code;
    this.target = target;
    this.status = status;
  }
}

/** The jar requires a different admin key. */
export class WrongAdminKey extends CliError {}
