import type { ItemBody } from '../messages/types.ts';
import { isProblem, type Problem } from '../mime/problem.ts';
import { readMail } from '../mime/read.ts';
import type { ParsedMail } from '../mime/types.ts';

/** A mail being delivered; it is parsed once for all mailboxes. */
export interface IncomingMail {
  readonly raw: Buffer;
  readonly parsed: ParsedMail;
  readonly body: ItemBody;
  /** Identifies the mail, to deduplicate it when it is sent again. */
  readonly digest: string;
  /** Sender of the envelope; empty for a report. */
  readonly envelopeFrom: string;
}

export function parseIncoming(raw: Buffer, envelopeFrom: string, digest: string): IncomingMail | Problem {
  const parsed = readMail(raw);
  return isProblem(parsed) ? parsed : { raw, parsed, body: bodyOf(parsed), digest, envelopeFrom };
}

const bodyOf = ({ html, text }: ParsedMail): ItemBody =>
  html === undefined ? { contentType: 'text', content: text ?? '' } : { contentType: 'html', content: html };
