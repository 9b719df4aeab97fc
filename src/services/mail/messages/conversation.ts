import { createHash } from 'node:crypto';

const BYTES = 45;

/** A conversation id is derived from the id of its first message, to which replies in every mailbox refer. */
export const conversationOf = (rootMessageId: string): string => {
  const hash = createHash('sha512').update(rootMessageId.trim()).digest();
  return Buffer.concat([Buffer.from([0, 3, 36]), hash.subarray(0, BYTES)]).toString('base64url');
};
