import { readAll, type Stored } from '../../../kernel/store/index.ts';
import { folders, messages } from '../collections.ts';
import type { Folder } from '../folders/types.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox, itemKey } from '../mailbox/create.ts';
import { isUid, mailboxMark, readId } from '../mailbox/ids.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Message } from '../messages/types.ts';
import { mailControlErrors } from './errors.ts';

/** Names in error messages are cut to this length. */
const LONGEST_SHOWN = 100;

/** The mailbox of a user, named by alias, address or object id. */
export async function mailboxNamed(jar: MailJar, user: string): Promise<Mailbox> {
  const found = await jar.directory.findUser(user);
  const mailbox = found && (await ensureMailbox(jar, found.id));
  if (!mailbox) throw mailControlErrors.UserNotFound({ user: user.slice(0, LONGEST_SHOWN) });
  return mailbox;
}

/** Finds a message by an id from the control API's lists or from the mail API. */
export async function messageNamed(
  { store }: Pick<MailJar, 'store'>,
  mailbox: Mailbox,
  id: string,
): Promise<Stored<Message>> {
  const uid = uidOf(mailbox, id);
  const stored = uid === undefined ? undefined : await store.get(messages, itemKey(mailbox.id, uid));
  if (stored) return stored;
  throw mailControlErrors.MessageNotFound({ message: id.slice(0, LONGEST_SHOWN), address: mailbox.address });
}

function uidOf(mailbox: Mailbox, id: string): string | undefined {
  if (isUid(id)) return id;
  const read = readId(id);
  return read?.mailboxMark === mailboxMark(mailbox.id) ? read.uid : undefined;
}

/** The folders of a mailbox, by uid. */
export async function foldersOf(
  { store }: Pick<MailJar, 'store'>,
  { id }: Mailbox,
): Promise<ReadonlyMap<string, Folder>> {
  const found = await readAll(store, folders, { prefix: `${id}/` });
  return new Map(found.map(({ value }) => [value.uid, value]));
}

/** Folders with this well-known or display name, case-insensitively. Several can have the same display name. */
export function foldersNamed(
  mailbox: Mailbox,
  all: ReadonlyMap<string, Folder>,
  name: string,
): readonly [Folder, ...Folder[]] {
  const wanted = name.toLowerCase();
  const byName = [...all.values()].filter(({ displayName }) => displayName.toLowerCase() === wanted);
  const wellKnown = [...all.values()].filter((folder) => folder.wellKnown === wanted);
  const [first, ...more] = wellKnown.length > 0 ? wellKnown : byName;
  if (first) return [first, ...more];
  throw mailControlErrors.FolderNotFound({ folder: name.slice(0, LONGEST_SHOWN), address: mailbox.address });
}
