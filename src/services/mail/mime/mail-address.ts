/** SMTPUTF8 addresses stand as they are. A quoted local part is the only place for blanks and brackets. */
const IN_HEADER =
  /^(?:"(?:[^"\\]|\\.){0,200}"|[^\s"<>(),:;\\[\]]{1,500})(?:@(?:[^\s"<>(),:;\\[\]@]{1,255}|\[[\w.:]{1,100}\]))?$/;

/** Whether a header can name this address. */
export const isHeaderAddress = (address: string): boolean => IN_HEADER.test(address);

const SENDABLE = /^[^\s\p{Cc}@<>(),;:\\"[\]]{1,500}@[^\s\p{Cc}@<>(),;:\\"[\]]{1,255}$/u;

/** Whether mail can be sent to this address: it has a local part without quotes, and a domain that is a name. */
export const isMailAddress = (address: string): boolean => SENDABLE.test(address);
