import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { parameters, text } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { contextLine } from '../api/show.ts';
import { deleteBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import { destinationNamed } from '../folders/find.ts';
import { tidyAt } from '../mailbox/tidy-work.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { copyMessage } from './copy.ts';
import { fieldsOf } from './draft.ts';
import { extrasOf } from './extras.ts';
import { checkMatch, findMessage } from './find.ts';
import { checkRecipients, type MessageInput, messageInput, OWN_NAMES } from './input.ts';
import type { ItemBody, Message } from './types.ts';
import { messageView } from './view.ts';
import { moveMessage, removeMessage, updateMessage } from './write.ts';

/** Update, delete, move and copy of messages. */

export const entity = (call: MailCall, message: Message): Record<string, unknown> => ({
  ...contextLine(call, 'messages/$entity'),
  ...messageView(call, message),
});

/** What may be changed once a message is sent or received. */
const ALWAYS: ReadonlySet<string> = new Set([
  'categories',
  'importance',
  'isRead',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
  'flag',
  'inferenceClassification',
  'singleValueExtendedProperties',
  'multiValueExtendedProperties',
]);
/** Given with the message when it is created, or by operations of their own. */
const AT_CREATION: ReadonlySet<string> = new Set(['internetMessageHeaders', 'attachments', 'extensions']);

export async function patchMessage(call: MailCall): Promise<Answer> {
  const input = messageInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    checkMatch(call, message);
    checkWritable(call, message, input);
    checkRecipients(input);
    const owner = { name: call.mailbox.displayName, address: call.mailbox.address };
    const times = { ...meetingTimes(message, input), ...(await withoutSource(writer, message, input)) };
    const changed = {
      ...fieldsOf(input, writer, owner),
      ...extrasOf(input, message),
      ...times,
      ...(input.body && { size: resized(message, input.body) }),
    };
    return ok(entity(call, await updateMessage(writer, message, changed)));
  });
}

/** Attachments stay when the body is another. */
const resized = ({ size, body }: Message, { content }: ItemBody): number =>
  Math.max(0, size + Buffer.byteLength(content) - Buffer.byteLength(body.content));

/** A property that cannot be written may be sent as it is: clients send back what they were given. */
function checkWritable(call: MailCall, message: Message, input: MessageInput): void {
  const view = messageView({ ...call, query: {} }, message);
  for (const name of Object.keys(input) as (keyof MessageInput)[]) {
    if (ALWAYS.has(name)) continue;
    const isOwn = (OWN_NAMES as readonly string[]).includes(name);
    if (!isOwn && message.isDraft && !AT_CREATION.has(name)) continue;
    if (isTimes(name) && message.meeting && input.isAllDay !== undefined) continue;
    if (JSON.stringify(view[name]) === JSON.stringify(input[name])) continue;
    const reason =
      isOwn || AT_CREATION.has(name) ? 'it cannot be updated' : 'it can be updated while the message is a draft';
    throw errors.ErrorInvalidPropertySet({ property: name, reason }, { target: name });
  }
}

const isTimes = (name: string): boolean => ['isAllDay', 'startDateTime', 'endDateTime'].includes(name);

/** A draft that came as a whole mail is made anew from its properties once one of those that are sent is changed. */
async function withoutSource(
  { tx }: MailboxWriter,
  { isDraft, source }: Message,
  input: MessageInput,
): Promise<Partial<Message>> {
  if (!isDraft || source === undefined || Object.keys(input).every((name) => ALWAYS.has(name))) return {};
  await deleteBlob(tx, source);
  return { source: undefined };
}

/** `isAllDay` of a meeting message, together with its times. */
function meetingTimes({ meeting }: Message, { isAllDay }: MessageInput): Partial<Message> {
  if (!meeting || isAllDay === undefined) return {};
  return { meeting: { ...meeting, isAllDay: isAllDay === true } };
}

/** The first deletion moves a message to the deleted items, the next one to those that can be recovered, the last one removes it. */
export function deleteMessage(call: MailCall): Promise<Answer> {
  const { deleteditems, recoverableitemsdeletions } = call.mailbox.wellKnown;
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    checkMatch(call, message);
    if (message.folder === recoverableitemsdeletions) await removeMessage(writer, message);
    else if (message.folder !== deleteditems) await moveMessage(writer, message, deleteditems);
    else {
      await moveMessage(writer, message, recoverableitemsdeletions);
      const { recoverableItemsLifetime } = await call.jar.settings.within(writer.tx);
      await tidyAt(writer.tx, call.mailbox.id, writer.now + recoverableItemsLifetime);
    }
    return noContent();
  });
}

export const permanentlyDeleteMessage = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    await removeMessage(writer, message);
    return noContent();
  });

const DESTINATION = { destinationId: text({ longest: 1000 }) };

export function readDestination(call: MailCall, action: string): string {
  const { destinationId } = parameters(action, DESTINATION, call.json());
  if (destinationId === undefined)
    throw errors.ErrorInvalidParameter(
      { reason: "The parameter 'destinationId' is required." },
      { target: 'destinationId' },
    );
  return destinationId;
}

export function moveMessageTo(call: MailCall): Promise<Answer> {
  const destination = readDestination(call, 'move');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    const folder = await destinationNamed(writer.tx, call.mailbox, destination);
    return created(entity(call, await moveMessage(writer, message, folder.uid)));
  });
}

export function copyMessageTo(call: MailCall): Promise<Answer> {
  const destination = readDestination(call, 'copy');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    const folder = await destinationNamed(writer.tx, call.mailbox, destination);
    return created(entity(call, await copyMessage(writer, message, folder.uid)));
  });
}
