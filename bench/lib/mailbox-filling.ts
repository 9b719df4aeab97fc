import type { RunningJar } from '../../src/jar/index.ts';
import type { MailJar } from '../../src/services/mail/jar.ts';
import { ensureMailbox } from '../../src/services/mail/mailbox/create.ts';
import { changeMailbox } from '../../src/services/mail/mailbox/writer.ts';
import { createMessage } from '../../src/services/mail/messages/write.ts';

const BATCH = 500;
const WORDS_IN_A_BODY = 60;
const VOCABULARY = 20_000;
const SENDERS = 20;
const FIRST = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

/** Word frequencies as in a language: the first words occur in nearly every message, most words hardly ever. */
const anyWord = (): string => `w${Math.floor(Math.random() ** 3 * VOCABULARY).toString(36)}`;

function wordsOf(i: number, of: number): string {
  const words = Array.from({ length: WORDS_IN_A_BODY }, anyWord);
  words.push('regards');
  if (i % 2 === 0) words.push('meeting');
  if (i % Math.floor(of / 5) === 1) words.push('seldom');
  return words.join(' ');
}

/** Puts messages into the inbox of the seeded administrator, each one minute after the previous one. */
export async function fillInbox({ jar }: RunningJar, count: number): Promise<void> {
  const [mailJar, user] = [jar as MailJar, await jar.directory.findUser('admin')];
  const mailbox = user && (await ensureMailbox(mailJar, user.id));
  if (!mailbox) throw new Error('the seed has no administrator');
  const owner = { name: mailbox.displayName, address: mailbox.address };
  for (let from = 0; from < count; from += BATCH)
    await changeMailbox(mailJar, mailbox, async (writer) => {
      for (let i = from; i < from + BATCH; i++) {
        const content = wordsOf(i, count);
        const sender = { name: `Sender ${i % SENDERS}`, address: `sender${i % SENDERS}@fabrikam.example` };
        await createMessage(writer, {
          folder: mailbox.wellKnown.inbox,
          receivedAt: FIRST + i * MINUTE,
          sentAt: FIRST + i * MINUTE,
          subject: `Message ${i}`,
          body: { contentType: 'text', content },
          bodyPreview: content.slice(0, 255),
          from: sender,
          sender,
          to: [owner],
          cc: [],
          bcc: [],
          replyTo: [],
          conversationId: `conversation-${i}`,
          conversationIndex: '',
          importance: 'normal',
          inference: 'focused',
          isRead: i % 3 !== 0,
          isDraft: false,
          isDeliveryReceiptRequested: null,
          isReadReceiptRequested: false,
          categories: [],
          flag: { flagStatus: 'notFlagged' },
          internetMessageId: `<${i}@fabrikam.example>`,
          headers: [],
          hasAttachments: false,
          mentions: [],
          unsubscribe: [],
          size: content.length,
        });
      }
    });
}
