import type { ReceivedMail } from './types.ts';

/** Input of a trace header: the mail, the receiving server and the time. */
export interface Trace {
  readonly mail: Pick<ReceivedMail, 'id' | 'helo' | 'remoteAddress' | 'isExtended' | 'isSecure' | 'smtpUtf8'>;
  /** Name of this server. */
  readonly by: string;
  /** By the jar's clock. */
  readonly at: number;
}

/**
 * The trace header (RFC 5321, 4.4) that a server puts before a message, with its CRLF. It does not name recipients, since that would
 * disclose them to each other.
 */
export function receivedHeader({ mail, by, at }: Trace): string {
  const { id, helo, remoteAddress } = mail;
  const literal = remoteAddress.includes(':') ? `[IPv6:${remoteAddress}]` : `[${remoteAddress}]`;
  return `Received: from ${safe(helo)} (${safe(literal)})\r\n\tby ${safe(by)} with ${protocolOf(mail)} id ${safe(id)};\r\n\t${mailDate(at)}\r\n`;
}

/** The registered names of RFC 3848 and RFC 6531. */
function protocolOf({ isExtended, isSecure, smtpUtf8 }: Trace['mail']): string {
  if (!isExtended) return 'SMTP';
  return `${smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${isSecure ? 'S' : ''}`;
}

/** A date as RFC 5322 writes it: `Mon, 16 Nov 2026 17:58:15 +0000`. */
export const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000');

/** Replaces characters that could end the header line, or open or close a comment. */
const safe = (text: string): string => text.replace(/[^\x21-\x7e]|[()<>;\\"]/g, '?');
