import type { SearchTexts } from '../../../kernel/store/index.ts';
import { htmlToText } from '../mime/text.ts';
import type { Address, Message } from './types.ts';

/** Characters of a body that are indexed. */
const LONGEST_BODY = 200_000;

/** The texts of a message for `$search`, by part. */
export function searchedTexts({
  subject,
  from,
  to,
  cc,
  bcc,
  attachmentNames,
  body,
}: Message): Readonly<Record<string, SearchTexts>> {
  const content = body.content.slice(0, LONGEST_BODY);
  return {
    subject,
    from: from && personText(from),
    to: to.map(personText),
    cc: cc.map(personText),
    bcc: bcc.map(personText),
    attachment: attachmentNames,
    body: body.contentType === 'html' ? htmlToText(content) : content,
  };
}

const personText = ({ name, address }: Address): string => (name === address ? address : `${name} ${address}`);
