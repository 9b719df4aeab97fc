import { type Static, Type } from 'typebox';
import { type Item, listAnswer, listOf, listQuery, listShape, type Walk } from '../../../kernel/odata/index.ts';
import { type Page, type Position, readAll } from '../../../kernel/store/index.ts';
import { mailboxes, messages } from '../collections.ts';
import { type MailJar, routeCode } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { NEWEST_FIRST } from '../messages/order.ts';
import { MEETING_MESSAGE_TYPES, type Message } from '../messages/types.ts';
import { foldersOf, mailboxNamed } from './find.ts';
import { MessageSummary, summaryView } from './message-view.ts';
import { contentFilter } from './messages.ts';

/** Messages of all mailboxes as one list. The store has an index for each mailbox, so the list merges the lists of the mailboxes. */

const MessageInMailbox = Type.Object({
  user: Type.String({ description: 'The alias of the owner of the mailbox' }),
  mailbox: Type.String({ description: 'The address of the mailbox' }),
  ...MessageSummary.properties,
});
type Seen = Static<typeof MessageInMailbox>;

const Text = { type: 'Edm.String' } as const;
const IgnoringCase = { ...Text, ignoreCase: true } as const;
const Flag = { type: 'Edm.Boolean' } as const;

const shape = listShape<Seen>('messages', {
  user: Text,
  mailbox: IgnoringCase,
  id: Text,
  messageId: Text,
  subject: IgnoringCase,
  from: IgnoringCase,
  fromName: IgnoringCase,
  to: { ...Text, collection: true },
  cc: { ...Text, collection: true },
  receivedAt: { type: 'Edm.DateTimeOffset' },
  folder: Text,
  isRead: Flag,
  isDraft: Flag,
  hasAttachments: Flag,
  size: { type: 'Edm.Int64' },
  meetingMessageType: { type: { members: MEETING_MESSAGE_TYPES } },
});

const own = {
  user: Type.Optional(Type.String({ description: 'Only the mailbox of this user: an alias, an address or an id' })),
  received: Type.Optional(
    Type.Boolean({ description: 'Only received messages: no drafts, sent messages, or permanently deleted ones' }),
  ),
};

export const listAllMessages = routeCode([], {
  query: listQuery(shape, own),
  responses: { 200: listOf(MessageInMailbox) },
  async handle(call) {
    const { jar, query } = call;
    const all =
      query.user === undefined
        ? (await readAll(jar.store, mailboxes)).map(({ value }) => value)
        : [await mailboxNamed(jar, query.user)];
    const walk = newestFirst(jar, all, query.received === true);
    return listAnswer(call, { shape, walk, view: ({ value }) => value });
  },
});

/**
 * Of the same moment, the messages with the highest numbers in their mailboxes come first. The position of a message continues the list of
 * every mailbox, because all have the same order.
 */
function newestFirst(jar: MailJar, all: readonly Mailbox[], received: boolean): Walk<Seen> {
  return async function* merged(after) {
    const from = after === undefined ? undefined : (JSON.parse(after) as Position);
    const heads = new Map<AsyncGenerator<Found>, Found>();
    const advance = async (source: AsyncGenerator<Found>): Promise<void> => {
      const { value, done } = await source.next();
      if (done) heads.delete(source);
      else heads.set(source, value);
    };
    for (const mailbox of all) await advance(messagesOf(jar, mailbox, received, from));
    while (heads.size > 0) {
      const [source, { position, seen }] = [...heads].reduce((a, b) => (isAfter(a[1], b[1]) ? b : a));
      yield { key: JSON.stringify(position), value: seen } satisfies Item<Seen>;
      await advance(source);
    }
  };
}

interface Found {
  readonly position: readonly [receivedAt: number, createdNumber: number, key: string];
  readonly seen: Seen;
}

/** All parts are descending. */
function isAfter({ position: a }: Found, { position: b }: Found): boolean {
  if (a[0] !== b[0]) return a[0] < b[0];
  return a[1] === b[1] ? a[2] < b[2] : a[1] < b[1];
}

/** Bodies can have megabytes, so few messages are read at once, and only their summaries are kept. */
const CHUNK = 5;

async function* messagesOf(
  jar: MailJar,
  mailbox: Mailbox,
  received: boolean,
  from: Position | undefined,
): AsyncGenerator<Found> {
  const folders = await foldersOf(jar, mailbox);
  const user = (await jar.directory.user(mailbox.id))?.alias ?? mailbox.address;
  const filter = contentFilter(mailbox, folders, { received });
  for (let after = from; ; ) {
    const page: Page<Message> = await jar.store.query(messages, {
      ...(filter && { filter }),
      order: NEWEST_FIRST,
      limit: CHUNK,
      ...(after && { after }),
    });
    for (const { key, value } of page.items) {
      const folder = folders.get(value.folder)?.displayName ?? '';
      yield {
        position: [value.receivedAt, value.createdNumber, key],
        seen: { user, mailbox: mailbox.address, ...summaryView(value, folder) },
      };
    }
    if (!page.next) return;
    after = page.next;
  }
}
