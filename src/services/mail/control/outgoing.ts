import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { readBlob } from '../blobs/store.ts';
import { keptMails, queuedMails } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { removeAllKept, removeKept } from '../sending/kept.ts';
import type { KeptMail, QueuedMail } from '../sending/types.ts';
import { mimeHeaders } from './contents.ts';
import { mailControlErrors } from './errors.ts';

/** Outgoing mail: mail that waits for delivery, and mail that stayed in the jar because there is no relay. */

const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;
const userId = { type: 'Edm.Guid', read: ({ mailbox }: { readonly mailbox: string }) => mailbox } as const;

/** The id is only in the key. */
type SeenKept = KeptMail & { readonly id: string };

const keptShape = entityShape<KeptMail>({
  name: 'mails',
  collection: keptMails,
  properties: {
    id: { ...Text, field: 'key' },
    userId,
    from: { ...Text, field: 'from', ignoreCase: true },
    to: { ...Text, field: 'to', ignoreCase: true },
    subject: Text,
    messageId: Text,
    size: { type: 'Edm.Int64' },
    at: { ...Instant, field: 'at' },
  },
  scan: 'bounded',
});

const KeptView = Type.Object({
  id: Type.String(),
  userId: Type.String({ description: 'The user whose mailbox sent the mail; empty for mail of other services' }),
  from: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  messageId: Type.String(),
  size: Type.Integer({ description: 'Bytes of the mail' }),
  at: Type.String(),
});

const seenKept = ({ key, value }: Item<KeptMail>): SeenKept => ({ ...value, id: key });

export const listKept = routeCode([], {
  query: listQuery(keptShape),
  responses: { 200: listOf(KeptView) },
  handle: (call) =>
    listAnswer(call, {
      shape: keptShape,
      order: [{ field: 'number', descending: true }],
      seen: seenKept,
      view: ({ key, value: { mailbox, from, to, subject, messageId, size, at } }) => ({
        id: key,
        userId: mailbox,
        from,
        to,
        subject,
        messageId,
        size,
        at: isoTime(at),
      }),
    }),
});

export const getKeptSource = routeCode(['mail'], {
  responses: { 200: 'The mail as MIME' },
  async handle({ jar, params }) {
    const kept = (await jar.store.get(keptMails, params.mail))?.value;
    if (!kept) throw mailControlErrors.KeptMailNotFound({ id: params.mail.slice(0, 100) });
    return ok(await readBlob(jar.store, kept.blob), mimeHeaders);
  },
});

export const deleteKept = routeCode(['mail'], {
  responses: { 204: 'The kept mail is removed' },
  async handle({ jar, params }) {
    if (!(await removeKept(jar, params.mail)))
      throw mailControlErrors.KeptMailNotFound({ id: params.mail.slice(0, 100) });
    return noContent();
  },
});

export const deleteAllKept = routeCode([], {
  responses: { 200: Type.Object({ removed: Type.Integer() }) },
  handle: async ({ jar }) => ok({ removed: await removeAllKept(jar) }),
});

const queuedShape = entityShape<QueuedMail>({
  name: 'mails',
  collection: queuedMails,
  properties: {
    id: { ...Text, field: 'key' },
    userId,
    from: Text,
    subject: Text,
    messageId: Text,
    recipients: { ...Text, collection: true },
    relayed: { type: 'Edm.Int64' },
    queuedAt: { ...Instant, field: 'queuedAt' },
  },
  scan: 'bounded',
});

const QueuedView = Type.Object({
  id: Type.String(),
  userId: Type.String({ description: 'The user whose mailbox sends the mail; empty for mail of other services' }),
  from: Type.String(),
  subject: Type.String(),
  messageId: Type.String(),
  recipients: Type.Array(Type.String(), { description: 'Recipients that have not been processed yet' }),
  relayed: Type.Integer({ description: 'Relay deliveries that have not ended' }),
  queuedAt: Type.String(),
});

export const listQueued = routeCode([], {
  query: listQuery(queuedShape),
  responses: { 200: listOf(QueuedView) },
  handle: (call) =>
    listAnswer(call, {
      shape: queuedShape,
      order: [{ field: 'queuedAt' }],
      view: ({ value: { id, mailbox, from, subject, messageId, recipients, relayed, queuedAt } }) => ({
        id,
        userId: mailbox,
        from,
        subject,
        messageId,
        recipients,
        relayed,
        queuedAt: isoTime(queuedAt),
      }),
    }),
});
