import { attachedBytes, attachedFields, putNewAttachments } from '../attachments/add.ts';
import { type NewAttachment, readAttachments } from '../attachments/input.ts';
import { searchedNames } from '../attachments/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { draftOf } from './draft.ts';
import { extrasOf } from './extras.ts';
import { checkRecipients, type MessageInput } from './input.ts';
import type { Message } from './types.ts';
import { createMessage } from './write.ts';

/** A message from a client, with its attachments validated. */
export interface NewDraft {
  readonly input: MessageInput;
  readonly files: readonly NewAttachment[];
}

export function checkedDraft(input: MessageInput): NewDraft {
  checkRecipients(input);
  return { input, files: readAttachments(input.attachments) };
}

type Given = Parameters<typeof createMessage>[1];

/** Creates a draft with its attachments. `fields` are set by the caller, such as the folder or the message that is answered. */
export async function createDraft(
  writer: MailboxWriter,
  { input, files }: NewDraft,
  fields: Partial<Given> = {},
): Promise<Message> {
  const given: Given = { ...draftOf(writer, input), ...extrasOf(input), ...fields };
  const attachmentNames = searchedNames([...(given.attachmentNames ?? []).map((name) => ({ name })), ...files]);
  const message = await createMessage(writer, {
    ...given,
    ...attachedFields(files),
    ...(attachmentNames.length > 0 && { attachmentNames }),
    size: given.size + attachedBytes(files),
  });
  await putNewAttachments(writer, writer.key(message.uid), message.body, files);
  return message;
}
