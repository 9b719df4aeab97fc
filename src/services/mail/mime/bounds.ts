import { HIGHEST_MESSAGE_LIMIT_BYTES } from '../limits.ts';
import type { MailBounds } from './types.ts';

/**
 * The byte bound is higher than any configurable limit, since SMTP and the API enforce the size limit of the settings. The other bounds are
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

/** RFC 2046 allows 70 characters. Longer boundaries up to this length are accepted; beyond it, the boundary is ignored. */
export const LONGEST_BOUNDARY = 250;

/** Parameters of one header, including continuations. */
export const MOST_PARAMETERS = 200;

/** Message ids in one References header. Ids beyond the bound are cut from the middle of the thread. */
export const MOST_REFERENCES = 200;

/** Characters of a body; as many as fit into a request of the real service. The rest is only in the MIME source of the mail. */
export const LONGEST_BODY = 4_000_000;

/** Characters of a file name, as in file systems. */
export const LONGEST_NAME = 255;
