import { type Outcome, outcomeOf, type Reply } from '../../../kernel/delivery/index.ts';

const LONGEST_REASON = 500;

export const succeeded = (status?: number): Reply =>
  status === undefined
    ? { outcome: 'Succeeded', headers: {}, body: '' }
    : { status, outcome: outcomeOf(status), headers: {}, body: '' };

/** `status` only if the other side sent one. */
export function failed(outcome: Outcome, reason: string, status?: number): Reply {
  const error = reason.slice(0, LONGEST_REASON);
  return status === undefined
    ? { outcome, error, headers: {}, body: '' }
    : { status, outcome, error, headers: {}, body: '' };
}

/** The caller no longer waits for this reply and has recorded an outcome of its own. */
export const abandoned = (): Reply => failed('Aborted', 'aborted before it was answered');
