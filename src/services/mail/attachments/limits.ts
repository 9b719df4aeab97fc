const MB = 1024 * 1024;

/** Files of this size or more need an upload session; smaller files are sent in one request. */
export const SMALLEST_UPLOAD_BYTES = 3 * MB;
export const LARGEST_UPLOAD_BYTES = 150 * MB;
/** Largest body of one PUT to an upload session. */
export const LARGEST_RANGE_BYTES = 4 * MB;

/** Attachments of one message or event. */
export const MOST_ATTACHMENTS = 250;
/** Nesting depth of attached items. */
export const DEEPEST_ITEM = 30;
/** Total contents of attachments in one answer. Clients can exclude contents with `$select` and read each with `$value`. */
export const MOST_SHOWN_BYTES = 64 * MB;
