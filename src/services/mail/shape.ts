import type { Caller } from '../../kernel/auth/index.ts';
import type { Answer, FamilyShape } from '../../kernel/http/index.ts';

export interface MailShape extends FamilyShape {
  readonly facts: {
    /** Finds out whether a caller may do what the path means, and where; then `run` is there. */
    admit?: (caller: Caller) => Promise<void>;
    /** What a call does, once a step of the family has found that its caller may do it; with the body, which is read after that. */
    run?: (body: Buffer | undefined, signal: AbortSignal) => Promise<Answer>;
  };
  readonly traits: object;
}
