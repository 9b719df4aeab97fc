import type { Answer, FamilyShape } from '../../kernel/http/index.ts';

export interface MailShape extends FamilyShape {
  /** What a call does, once a step of the family has found that its caller may do it; with the body, which is read after that. */
  readonly facts: { run?: (body: Buffer | undefined, signal: AbortSignal) => Promise<Answer> };
  readonly traits: object;
}
