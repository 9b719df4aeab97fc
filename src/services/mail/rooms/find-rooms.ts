import { users } from '../../../kernel/auth/index.ts';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import { walk } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import { isRoom } from './room.ts';

/** The maximum of the real service. */
const MOST_ROOMS = 100;

/** `findRooms` (beta version): names and addresses of the rooms of a tenant. */
export async function findRooms(call: MailCall): Promise<Answer> {
  const { roomlist } = call.params;
  if (roomlist !== undefined)
    throw errors.ErrorInvalidParameter(
      { reason: `There is no room list '${roomlist.slice(0, 100)}'.` },
      { target: 'RoomList' },
    );
  const tenant = call.mailbox.tenantId.toLowerCase();
  const value: { readonly name: string; readonly address: string }[] = [];
  for await (const { value: user } of walk(call.jar.store, users, { order: [{ field: 'username' }] })) {
    if (!isRoom(user) || user.tenantId.toLowerCase() !== tenant) continue;
    value.push({ name: user.displayName, address: user.username });
    if (value.length === MOST_ROOMS) break;
  }
  return ok({ '@odata.context': `${baseOf(call)}/$metadata#Collection(microsoft.graph.emailAddress)`, value });
}
