import { type Answer, ok } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { readBlob } from '../blobs/store.ts';
import { composeMessage } from '../sending/compose.ts';
import { findMessage } from './find.ts';

/** `GET …/messages/{id}/$value`: the message as received or sent, or a draft as it would be sent. */
export async function getMessageValue(call: MailCall): Promise<Answer> {
  const { store } = call.jar;
  const { key, value: message } = await findMessage(call);
  const bytes =
    message.source === undefined
      ? await composeMessage(store, key, message, true)
      : await readBlob(store, message.source);
  return ok(bytes, { 'content-type': 'text/plain' });
}
