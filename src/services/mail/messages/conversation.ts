import { createHash } from 'node:crypto';

const BYTES = 45;

/** A conversation is known by the id of its first message: whoever answers refers to that, in whatever mailbox. */
export const conversationOf = (rootMessageId: string): string => {
  const hash = createHash('sha512').update(rootMessageId.trim()).digest();
  return Buffer.concat([Buffer.from([0, 3, 36]), hash.subarray(0, BYTES)]).toString('base64url');
};
