import type { Answer, FamilyShape } from '../../kernel/http/index.ts';
import type { Located } from './api/prepare.ts';

export interface MailShape extends FamilyShape {
  readonly facts: {
    located?: Located;
    /** What a call does, once a step of the family has found that its caller may do it; with the body, which is read after that. */
    run?: (body: Buffer | undefined, signal: AbortSignal) => Promise<Answer>;
  };
  readonly traits: object;
}
