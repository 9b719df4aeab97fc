import type { Reader, Stored } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { isInFolder } from '../folders/content.ts';
import { folderNamed } from '../folders/find.ts';
import { itemKey } from '../mailbox/create.ts';
import { changeKeyOf, etagOf, mailboxMark, readId } from '../mailbox/ids.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Message } from './types.ts';

/** The message that a path names, in the folder that it names. */
export async function findMessage(
  call: MailCall,
  reader: Reader = call.jar.store,
  key = call.params.message ?? '',
): Promise<Stored<Message>> {
  const stored = await messageByKey(reader, call.mailbox, key);
  if (call.place.folder !== undefined) {
    const folder = await folderNamed(reader, call.mailbox, call.place.folder);
    if (!(await isInFolder(reader, folder, stored.value, call.receivedAt))) throw errors.ErrorItemNotFound();
  }
  return stored;
}

export async function messageByKey(reader: Reader, mailbox: Mailbox, key: string): Promise<Stored<Message>> {
  const id = readId(key);
  if (!id) throw errors.ErrorInvalidIdMalformed();
  if (id.mailboxMark !== mailboxMark(mailbox.id)) throw errors.ErrorInvalidMailboxItemId();
  const stored = await reader.get(messages, itemKey(mailbox.id, id.uid));
  // The regular id of a message becomes invalid when the message moves.
  if (!stored || (id.form === 'regular' && id.generation !== stored.value.generation % 2 ** 24))
    throw errors.ErrorItemNotFound();
  if (mailbox.purging?.includes(stored.value.folder)) throw errors.ErrorItemNotFound();
  return stored;
}

/** Checks `If-Match`, if the client sends it. */
export function checkMatch(
  { headers }: Pick<MailCall, 'headers'>,
  { uid, number }: { readonly uid: string; readonly number: number },
): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted === '*') return;
  const current = etagOf(changeKeyOf(uid, number));
  const tags = String(wanted)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(current.replace(/^W\//, ''))) throw errors.ErrorIrresolvableConflict();
}
