import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { etag } from '../../../kernel/ids/index.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { newMessageId, ownerOf } from '../messages/draft.ts';
import { findMessage } from '../messages/find.ts';
import { moveMessage } from '../messages/write.ts';
import { cutText, oneLine } from '../mime/one-line.ts';
import { composeMail } from '../mime/write.ts';
import { queueMail } from './queue.ts';

/** Sends the unsubscribe mail of a mailing list (RFC 2369), and moves the message to the deleted items. */
export const unsubscribe = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    const entry = message.unsubscribe.find((each) => /^mailto:/i.test(each));
    const target = entry === undefined ? undefined : mailtoOf(entry);
    if (!target) throw errors.ErrorInvalidRequest({ reason: "The message has no 'mailto' address to unsubscribe at." });
    const { mailbox, now } = writer;
    const messageId = newMessageId(mailbox.address);
    const { address, subject, body } = target;
    const from = ownerOf(mailbox);
    const to = [{ name: '', address }];
    const raw = composeMail({ from, to, subject, date: now, messageId, text: body, boundary: etag() });
    await queueMail(writer, { raw, from: mailbox.address, to: [address], subject, messageId });
    await moveMessage(writer, message, mailbox.wellKnown.deleteditems);
    return accepted();
  });

interface Mailto {
  readonly address: string;
  readonly subject: string;
  readonly body: string;
}

/** Parses `mailto:leave@list.example?subject=unsubscribe` (RFC 6068). Line breaks cannot inject headers. */
export function mailtoOf(entry: string): Mailto | undefined {
  const url = URL.parse(entry);
  if (url?.protocol !== 'mailto:') return undefined;
  const address = decoded(url.pathname).split(',', 1)[0]?.trim() ?? '';
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address)) return undefined;
  const parameter = (name: string): string => cutText(oneLine(url.searchParams.get(name) ?? ''), 1000);
  return { address, subject: parameter('subject') || 'unsubscribe', body: parameter('body') };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
