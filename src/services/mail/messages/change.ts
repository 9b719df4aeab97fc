import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { parameters, text } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { contextLine } from '../api/show.ts';
import { errors } from '../errors.ts';
import { destinationNamed } from '../folders/find.ts';
import { tidyAt } from '../mailbox/tidy-work.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { copyMessage } from './copy.ts';
import { fieldsOf } from './draft.ts';
import { extrasOf } from './extras.ts';
import { checkMatch, findMessage } from './find.ts';
import { checkRecipients, messageInput } from './input.ts';
import { meetingTimes } from './meeting-times.ts';
import { withoutSource } from './source.ts';
import type { ItemBody, Message } from './types.ts';
import { messageView } from './view.ts';
import { ALWAYS_WRITABLE, checkWritable } from './writable.ts';
import { moveMessage, removeMessage, updateMessage } from './write.ts';

/** Update, delete, move and copy of messages. */

export const entity = (call: MailCall, message: Message): Record<string, unknown> => ({
  ...contextLine(call, 'messages/$entity'),
  ...messageView(call, message),
});

export async function patchMessage(call: MailCall): Promise<Answer> {
  const input = messageInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    checkMatch(call, message);
    checkWritable(call, message, input);
    checkRecipients(input);
    const owner = { name: call.mailbox.displayName, address: call.mailbox.address };
    const isSent = Object.keys(input).some((name) => !ALWAYS_WRITABLE.has(name));
    const times = meetingTimes(message, input);
    const changed = {
      ...fieldsOf(input, writer, owner),
      ...extrasOf(input, message),
      ...times,
      ...(isSent && (await withoutSource(writer, message))),
      ...(input.body && { size: resized(message, input.body) }),
    };
    return ok(entity(call, await updateMessage(writer, message, changed)));
  });
}

/** The size changes with the body; the attachments keep theirs. */
const resized = ({ size, body }: Message, { content }: ItemBody): number =>
  Math.max(0, size + Buffer.byteLength(content) - Buffer.byteLength(body.content));

/** The first deletion moves a message to the deleted items, the second to the recoverable items, and the third removes it. */
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
