import { HIGHEST_MESSAGE_LIMIT_BYTES } from '../limits.ts';
import type { MailBounds } from './types.ts';

/**
 * Above what any door accepts, so that the size limit is the door's: SMTP and the API have theirs from the settings. The rest is
 * far beyond real mail.
 */
export const MAIL_BOUNDS: MailBounds = {
  bytes: HIGHEST_MESSAGE_LIMIT_BYTES + 1024 * 1024,
  nesting: 50,
  parts: 1_000,
  headerBytes: 256 * 1024,
  headerLines: 2_000,
  addresses: 2_000,
};

/** RFC 2046 allows 70 characters; a boundary that is longer than this is not one. */
export const LONGEST_BOUNDARY = 250;

/** Parameters of one header, continuations included. */
export const MOST_PARAMETERS = 200;

/** Message ids of one References header: those beyond the bound are cut from the middle of the thread. */
export const MOST_REFERENCES = 200;

/** Characters of a body, as many as fit into a request of the real service. What follows is in the source of the mail alone. */
export const LONGEST_BODY = 4_000_000;

/** Of file names, as file systems have it. */
export const LONGEST_NAME = 255;
