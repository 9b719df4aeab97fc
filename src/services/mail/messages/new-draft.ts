import { attachedBytes, attachedFields, putNewAttachments } from '../attachments/add.ts';
import { type NewAttachment, readAttachments } from '../attachments/input.ts';
import { searchedNames } from '../attachments/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { draftOf } from './draft.ts';
import { extrasOf } from './extras.ts';
import { checkRecipients, type MessageInput } from './input.ts';
import type { Message } from './types.ts';
import { createMessage } from './write.ts';

/** A message as a client sent it, with its attachments read. */
export interface NewDraft {
  readonly input: MessageInput;
  readonly files: readonly NewAttachment[];
}

export function checkedDraft(input: MessageInput): NewDraft {
  checkRecipients(input);
  return { input, files: readAttachments(input.attachments) };
}

type Given = Parameters<typeof createMessage>[1];

/** Makes a draft with everything that came with it. `fields` are what it has beside, such as the folder or what it answers. */
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
