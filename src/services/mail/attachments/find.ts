import type { Reader, Stored } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { type Item, keyOfItem } from '../extras/item.ts';
import { mailboxMark, readContainerId } from '../mailbox/ids.ts';
import { getAttachment } from './store.ts';
import type { Attachment } from './types.ts';

/** The attachment that a path names. Its id does not change when its item moves. */
export async function findAttachment(
  call: MailCall,
  item: Item,
  reader: Reader = call.jar.store,
): Promise<Stored<Attachment>> {
  const id = readContainerId(call.params.attachment ?? '');
  if (!id) throw errors.ErrorInvalidIdMalformed();
  if (id.mailboxMark !== mailboxMark(call.mailbox.id)) throw errors.ErrorInvalidMailboxItemId();
  const key = keyOfItem(item);
  const value = await getAttachment(reader, key, id.uid);
  if (!value) throw errors.ErrorItemNotFound();
  return { key: `${key}/${value.uid}`, etag: '', value };
}
