import { mailAddresses, mailboxes } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';

/** `admin+anything@vendor.example` becomes `admin@vendor.example`. */
function plain(address: string): string {
  const plus = address.indexOf('+');
  const at = address.indexOf('@', plus);
  return plus < 0 || at < 0 ? address : address.slice(0, plus) + address.slice(at);
}

/** The mailbox of an address; undefined if the address is not in this jar. */
export async function mailboxOf(jar: MailJar, address: string): Promise<Mailbox | undefined> {
  if (!address.includes('@')) return undefined;
  const known = await usedMailbox(jar, address);
  if (known) return known;
  const user = (await jar.directory.findUser(address)) ?? (await jar.directory.findUser(plain(address)));
  // The directory also finds aliases and object ids, which are not addresses.
  return user && plain(user.username).toLowerCase() === plain(address).toLowerCase()
    ? ensureMailbox(jar, user.id)
    : undefined;
}

/** Looks up an existing mailbox in the cache, which is enough for most mail. */
async function usedMailbox({ store }: MailJar, address: string): Promise<Mailbox | undefined> {
  const known = await store.cached(mailAddresses, address.toLowerCase());
  return known && (await store.cached(mailboxes, known.value.mailbox))?.value;
}

/** True if the domain of an address belongs to a tenant of the jar. */
export async function isLocalDomain(jar: MailJar, address: string): Promise<boolean> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return (await jar.directory.tenant(domain)) !== undefined;
}
