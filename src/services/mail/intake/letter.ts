import type { ItemBody } from '../messages/types.ts';
import { isProblem, type Problem } from '../mime/problem.ts';
import { readMail } from '../mime/read.ts';
import type { ParsedMail } from '../mime/types.ts';

/** A mail on its way into mailboxes: parsed once, however many they are. */
export interface Letter {
  readonly raw: Buffer;
  readonly parsed: ParsedMail;
  readonly body: ItemBody;
  /** Tells a mail that is sent again from another one. */
  readonly digest: string;
  /** The sender of the envelope; empty for a report. */
  readonly envelopeFrom: string;
}

export function openLetter(raw: Buffer, envelopeFrom: string, digest: string): Letter | Problem {
  const parsed = readMail(raw);
  return isProblem(parsed) ? parsed : { raw, parsed, body: bodyOf(parsed), digest, envelopeFrom };
}

const bodyOf = ({ html, text }: ParsedMail): ItemBody =>
  html === undefined ? { contentType: 'text', content: text ?? '' } : { contentType: 'html', content: html };
