import type { Caller } from '../../../kernel/auth/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import { perform } from '../api/handle.ts';
import { prepare } from '../api/prepare.ts';
import type { RequestHead } from '../api/request.ts';
import type { MailJar } from '../jar.ts';
import { performSubscriptions } from '../notifications/handle.ts';
import { isUsersList, listUsers } from '../outlook/users.ts';
import { isPlaces, performPlaces } from '../rooms/places.ts';

/** Routes a request below the version: to a mailbox, or to users, rooms and subscriptions of a tenant. */
export async function dispatch(
  jar: MailJar,
  caller: Caller,
  head: RequestHead,
  bytes: Buffer | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  if (/^subscriptions(?:[/(]|$)/i.test(head.path)) return performSubscriptions(jar, caller, head, bytes);
  if (isPlaces(head)) return performPlaces(jar, caller, head);
  if (isUsersList(head)) return listUsers(jar, caller, head);
  return perform(jar, await prepare(jar, caller, head), bytes, signal);
}
