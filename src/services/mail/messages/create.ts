import { type Answer, created } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { destinationNamed } from '../folders/find.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { draftFromMime, isMimeBody, mimeBytes } from '../sending/mime-body.ts';
import { entity } from './change.ts';
import { messageInput } from './input.ts';
import { checkedDraft, createDraft } from './new-draft.ts';
import type { Message } from './types.ts';

/** Creates a draft from JSON or from MIME, in the folder that the path names or in the drafts folder. */
export function postMessage(call: MailCall): Promise<Answer> {
  const make = isMimeBody(call) ? fromMime(mimeBytes(call)) : fromJson(call.json());
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { place, mailbox } = call;
    const named = place.folder === undefined ? undefined : await destinationNamed(writer.tx, mailbox, place.folder);
    const body = entity(call, await make(writer, named?.uid ?? mailbox.wellKnown.drafts));
    return created(body, {
      location: `${call.origin}/${call.version}/users('${mailbox.id}')/messages('${body.id}')`,
      etag: String(body['@odata.etag']),
    });
  });
}

type Make = (writer: MailboxWriter, folder: string) => Promise<Message>;

const fromMime =
  (raw: Buffer): Make =>
  (writer, folder) =>
    draftFromMime(writer, raw, folder);

function fromJson(value: unknown): Make {
  const draft = checkedDraft(messageInput(value, ''));
  return (writer, folder) => createDraft(writer, draft, { folder });
}
