import { type Answer, created } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { attachedBytes, attachedFields, putNewAttachments } from '../attachments/add.ts';
import { readAttachments } from '../attachments/input.ts';
import { destinationNamed } from '../folders/find.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { entity } from './change.ts';
import { draftOf } from './draft.ts';
import { extrasOf } from './extras.ts';
import { checkRecipients, messageInput } from './input.ts';
import { createMessage } from './write.ts';

/** A new draft, in the folder that the path names or among the drafts. */
export function postMessage(call: MailCall): Promise<Answer> {
  const input = messageInput(call.json(), '');
  checkRecipients(input);
  const files = readAttachments(input.attachments);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { place, mailbox } = call;
    const folder = place.folder === undefined ? undefined : await destinationNamed(writer.tx, mailbox, place.folder);
    const draft = draftOf(writer, input);
    const message = await createMessage(writer, {
      ...draft,
      ...extrasOf(input),
      ...attachedFields(files),
      size: draft.size + attachedBytes(files),
      ...(folder && { folder: folder.uid }),
    });
    await putNewAttachments(writer, writer.key(message.uid), message.body, files);
    const body = entity(call, message);
    return created(body, {
      location: `${call.origin}/${call.version}/users('${mailbox.id}')/messages('${body.id}')`,
      etag: String(body['@odata.etag']),
    });
  });
}
