import type { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';

const LONGEST_COMMENT = 1000;

export function readComment(sent: Sent): string | undefined {
  const comment = sent.text('comment');
  if (comment !== undefined && comment.length > LONGEST_COMMENT)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The comment must be at most ${LONGEST_COMMENT} characters.` });
  return comment;
}
