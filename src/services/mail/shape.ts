import type { Caller } from '../../kernel/auth/index.ts';
import type { Answer, FamilyShape } from '../../kernel/http/index.ts';

export interface MailShape extends FamilyShape {
  readonly facts: {
    /** Checks that the caller may use the operation, and finds the mailbox; sets `run`. */
    admit?: (caller: Caller) => Promise<void>;
    /** Runs the operation, after a step of the family has authorized the caller. Takes the body, which is read after that. */
    run?: (body: Buffer | undefined, signal: AbortSignal) => Promise<Answer>;
  };
  readonly traits: object;
}
