import type { Caller } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { NeedName } from './scopes.ts';

/** The mailbox that a path names, if the caller may use it: the own one, or for an application any of its tenant. */
export async function addressedMailbox(
  jar: MailJar,
  caller: Caller,
  user: string | undefined,
  _needs: NeedName,
): Promise<Mailbox> {
  if (user === undefined) {
    if (caller.kind !== 'user') throw errors.BadRequest__Me();
    const own = await ensureMailbox(jar, caller.objectId);
    if (!own) throw errors.MailboxNotEnabledForRESTAPI({ user: caller.name });
    return own;
  }
  const found = await jar.directory.findUser(user);
  if (!found || found.tenantId.toLowerCase() !== caller.tenantId.toLowerCase())
    throw errors.ErrorInvalidUser({ user: user.slice(0, 100) });
  const isOwn = caller.kind === 'user' && found.id.toLowerCase() === caller.objectId.toLowerCase();
  if (caller.kind === 'user' && !isOwn) throw errors.ErrorAccessDenied__Mailbox({ user: found.username });
  const mailbox = await ensureMailbox(jar, found.id);
  if (!mailbox) throw errors.MailboxNotEnabledForRESTAPI({ user: found.username });
  return mailbox;
}
