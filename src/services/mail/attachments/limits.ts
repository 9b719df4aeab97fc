const MB = 1024 * 1024;

/** A file of this size or more comes by an upload session, a smaller one in a request: each has one way. */
export const SMALLEST_UPLOAD_BYTES = 3 * MB;
export const LARGEST_UPLOAD_BYTES = 150 * MB;
/** Of one PUT to an upload session. */
export const LARGEST_RANGE_BYTES = 4 * MB;

/** Of one message or event. */
export const MOST_ATTACHMENTS = 250;
/** Items attached to attached items. */
export const DEEPEST_ITEM = 30;
/** Of the contents of all attachments in one answer; a client leaves them out by `$select` and reads each by `$value`. */
export const MOST_SHOWN_BYTES = 64 * MB;
