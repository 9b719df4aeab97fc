import type { Caller } from '../../../kernel/auth/index.ts';
import type { Operation } from '../api/request.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { checkNeed } from './authenticate.ts';
import { NEEDS } from './scopes.ts';
import { type Sharing, sharingOf } from './sharing.ts';

export interface Addressed {
  readonly mailbox: Mailbox;
  /** Absent if the caller may use the whole mailbox. */
  readonly sharing?: Sharing;
}

/**
 * The mailbox that a path names, if the caller may use it: the user's own mailbox, for an application any mailbox of its tenant, and for
 * some operations shared calendars.
 */
export async function addressedMailbox(
  jar: MailJar,
  caller: Caller,
  user: string | undefined,
  { needs, isSharable = false }: Pick<Operation, 'needs' | 'isSharable'>,
): Promise<Addressed> {
  if (user === undefined) {
    if (caller.kind !== 'user') throw errors.BadRequest__Me();
    const own = await ensureMailbox(jar, caller.objectId);
    if (!own) throw errors.MailboxNotEnabledForRESTAPI({ user: caller.name });
    return { mailbox: own };
  }
  const found = await jar.directory.findUser(user);
  if (!found || found.tenantId.toLowerCase() !== caller.tenantId.toLowerCase())
    throw errors.ErrorInvalidUser({ user: user.slice(0, 100) });
  const isOwn = caller.kind === 'user' && found.id.toLowerCase() === caller.objectId.toLowerCase();
  const isOthers = caller.kind === 'user' && !isOwn;
  // Reading another user's profile requires the permission to read all users.
  const isAboutUser = isOthers && needs === 'userRead';
  if (isAboutUser) checkNeed(caller, NEEDS.usersRead);
  else if (isOthers && !isSharable) throw errors.ErrorAccessDenied__Mailbox({ user: found.username });
  const mailbox = await ensureMailbox(jar, found.id);
  if (!mailbox) throw errors.MailboxNotEnabledForRESTAPI({ user: found.username });
  if (!isOthers || isAboutUser) return { mailbox };
  const own = await ensureMailbox(jar, caller.objectId);
  const sharing = own && (await sharingOf(jar, caller, own, mailbox, needs));
  if (!sharing) throw errors.ErrorAccessDenied__Mailbox({ user: found.username });
  return { mailbox, sharing };
}
