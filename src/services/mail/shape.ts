import type { Caller } from '../../kernel/auth/index.ts';
import type { FamilyShape } from '../../kernel/http/index.ts';
import type { Prepared } from './api/prepare.ts';

export interface MailShape extends FamilyShape {
  /** What the steps found out before the body was read. */
  readonly facts: { caller?: Caller; prepared?: Prepared };
  readonly traits: object;
}
