import { membersOf, textsOf } from '../../../engine/json.ts';
import type { PlatformCall } from '../../../jar.ts';
import { plainAddress, RangeSet } from '../../../network/addresses.ts';
import type { Securable } from '../../core/securables.ts';
import { recipientOf } from '../recipients/tokens.ts';
import { sharingErrors } from './errors.ts';
import { federatedRecipient, isForeignToken } from './federated.ts';

const SCHEME = /^bearer +/i;

/** The recipient that a call of the open protocol authenticates as. Throws if its address is not allowed. */
export async function authenticateRecipient(call: PlatformCall): Promise<Securable> {
  const authorization = String(call.headers.authorization ?? '');
  const bearer = SCHEME.test(authorization) ? authorization.replace(SCHEME, '').trim() : '';
  const asked = (call.params as Readonly<Record<string, string | undefined>>).recipient_id;
  const recipient = isForeignToken(bearer)
    ? await federatedRecipient(call, bearer, asked)
    : await recipientOf(call.jar.store, bearer, call.jar.clock.now());
  if (!recipient || (asked !== undefined && recipient.id !== asked))
    throw sharingErrors.UNAUTHENTICATED({
      reason: bearer === '' ? 'A bearer token is required.' : 'The bearer token is unknown or has expired.',
    });
  const allowed = textsOf(membersOf(recipient.fields.ip_access_list).allowed_ip_addresses);
  const address = plainAddress(call.remoteAddress);
  if (allowed.length > 0 && !new RangeSet(allowed).has(address))
    throw sharingErrors.PERMISSION_DENIED({ reason: `The address ${address} may not use this token.` });
  return recipient;
}
