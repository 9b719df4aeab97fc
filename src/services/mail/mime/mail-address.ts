/** SMTPUTF8 addresses are allowed unencoded. Blanks and brackets are allowed only in a quoted local part. */
const IN_HEADER =
  /^(?:"(?:[^"\\]|\\.){0,200}"|[^\s"<>(),:;\\[\]]{1,500})(?:@(?:[^\s"<>(),:;\\[\]@]{1,255}|\[[\w.:]{1,100}\]))?$/;

/** True if the address can be written in a header. */
export const isHeaderAddress = (address: string): boolean => IN_HEADER.test(address);

const SENDABLE = /^[^\s\p{Cc}@<>(),;:\\"[\]]{1,500}@[^\s\p{Cc}@<>(),;:\\"[\]]{1,255}$/u;

/** True if mail can be sent to the address: an unquoted local part, and a domain name. */
export const isMailAddress = (address: string): boolean => SENDABLE.test(address);
