import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { mailboxes } from '../collections.ts';
import { type MailJar, routeCode } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { foldersOf, mailboxNamed } from './find.ts';

/** A mailbox with the counts of its folders and the name of its user. */
interface Seen extends Mailbox {
  readonly user: string;
  readonly messages: number;
  readonly unread: number;
}

const shape = entityShape<Mailbox>({
  name: 'mailboxes',
  collection: mailboxes,
  properties: {
    id: { type: 'Edm.Guid', field: 'key' },
    user: { type: 'Edm.String', read: ({ user }: Seen) => user },
    address: { type: 'Edm.String', field: 'address', ignoreCase: true },
    displayName: { type: 'Edm.String' },
    messages: { type: 'Edm.Int64' },
    unread: { type: 'Edm.Int64' },
    createdAt: { type: 'Edm.DateTimeOffset' },
  },
  scan: 'bounded',
});

const MailboxView = Type.Object({
  id: Type.String({ description: 'The object id of the user' }),
  user: Type.String({ description: 'The alias of the user' }),
  address: Type.String(),
  displayName: Type.String(),
  messages: Type.Integer({ description: 'In all folders' }),
  unread: Type.Integer(),
  createdAt: Type.String(),
});

export const listMailboxes = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(MailboxView) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      seen: ({ value }) => seenMailbox(call.jar, value),
      view: async ({ value }) => mailboxView(await seenMailbox(call.jar, value)),
    }),
});

export const getMailbox = routeCode(['user'], {
  responses: { 200: MailboxView },
  async handle({ jar, params }) {
    return ok(mailboxView(await seenMailbox(jar, await mailboxNamed(jar, params.user))));
  },
});

async function seenMailbox(jar: MailJar, mailbox: Mailbox): Promise<Seen> {
  const folders = [...(await foldersOf(jar, mailbox)).values()];
  const sum = (of: 'total' | 'unread'): number => folders.reduce((total, folder) => total + folder[of], 0);
  // A mailbox outlives its user.
  const user = (await jar.directory.user(mailbox.id))?.alias ?? mailbox.address;
  return { ...mailbox, user, messages: sum('total'), unread: sum('unread') };
}

const mailboxView = ({ id, user, address, displayName, messages, unread, createdAt }: Seen) => ({
  id,
  user,
  address,
  displayName,
  messages,
  unread,
  createdAt: isoTime(createdAt),
});
