import { errors } from '../errors.ts';
import type { Address } from '../messages/types.ts';
import { isMailAddress } from '../mime/mail-address.ts';

/** Throws for an address to which mail cannot be sent. */
export function checkAddresses(people: readonly Address[], target?: string): void {
  const wrong = people.find(({ address }) => !isMailAddress(address));
  if (!wrong) return;
  const reason = `'${wrong.address.slice(0, 100)}' is not an address that mail can be sent to.`;
  throw errors.ErrorInvalidRecipients({ reason }, target === undefined ? {} : { target });
}
