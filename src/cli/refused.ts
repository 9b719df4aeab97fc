import { CliError } from './errors.ts';

export interface Refusal {
  readonly code: string;
  readonly target: string | undefined;
  /** Of the answer. */
  readonly status: number;
  readonly exitCode?: number;
}

/** What the jar has refused, with the code and the place that its answer names. */
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

/** The jar wants another admin key than the one that was sent. */
export class OtherKey extends CliError {}
