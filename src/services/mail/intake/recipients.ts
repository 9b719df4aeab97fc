import { mailAddresses, mailboxes } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';

/** `admin+anything@vendor.example` is `admin@vendor.example`. */
function plain(address: string): string {
  const plus = address.indexOf('+');
  const at = address.indexOf('@', plus);
  return plus < 0 || at < 0 ? address : address.slice(0, plus) + address.slice(at);
}

/** The mailbox that an address belongs to; undefined where it is not of this jar. */
export async function mailboxOf(jar: MailJar, address: string): Promise<Mailbox | undefined> {
  if (!address.includes('@')) return undefined;
  const known = await usedMailbox(jar, address);
  if (known) return known;
  const user = (await jar.directory.findUser(address)) ?? (await jar.directory.findUser(plain(address)));
  // An alias or an object id is no address.
  return user && plain(user.username).toLowerCase() === plain(address).toLowerCase()
    ? ensureMailbox(jar, user.id)
    : undefined;
}

/** One that exists already is found in memory, which is all that most mail needs. */
async function usedMailbox({ store }: MailJar, address: string): Promise<Mailbox | undefined> {
  const known = await store.cached(mailAddresses, address.toLowerCase());
  return known && (await store.cached(mailboxes, known.value.mailbox))?.value;
}

/** Whether the domain of an address is one of the jar's tenants. */
export async function isLocalDomain(jar: MailJar, address: string): Promise<boolean> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return (await jar.directory.tenant(domain)) !== undefined;
}
