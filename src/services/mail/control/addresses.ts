import { tenants } from '../../../kernel/auth/index.ts';
import { acceptance } from '../intake/receive.ts';
import type { MailJar } from '../jar.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { parseAddresses } from '../mime/fields.ts';
import { oneLine } from '../mime/one-line.ts';
import type { MailAddress } from '../mime/types.ts';
import { parsePath } from '../smtp/address.ts';
import { mailControlErrors } from './errors.ts';

const LONGEST_SHOWN = 100;
/** A line break in an address would inject header lines into a mail. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/** Domains listed in an error message; more would not be readable. */
const MOST_DOMAINS = 5;

/** Parses addresses from a user: with or without names, separated by commas; an alias of a user means the user's address. */
export async function readAddresses(
  { directory }: Pick<MailJar, 'directory'>,
  given: string | readonly string[] | undefined,
  target: string,
): Promise<readonly MailAddress[]> {
  const found: MailAddress[] = [];
  for (const text of typeof given === 'string' ? [given] : (given ?? [])) {
    if (CONTROL.test(text)) throw wrongAddress(text, target);
    const user = text.includes('@') ? undefined : await directory.findUser(text);
    const read = user ? [{ name: user.displayName, address: user.username }] : parseAddresses(text);
    if (read.length === 0 || !read.every(isAddress)) throw wrongAddress(text, target);
    found.push(...read);
  }
  if (found.length > MOST_RECIPIENTS)
    throw mailControlErrors.TooManyRecipients({ maximum: MOST_RECIPIENTS, count: found.length }, { target });
  return found;
}

const isAddress = ({ address }: MailAddress): boolean =>
  address.includes('@') && parsePath(`<${address}>`)?.rest === '';

const wrongAddress = (text: string, target: string): Error =>
  mailControlErrors.InvalidAddress({ address: oneLine(text).slice(0, LONGEST_SHOWN) }, { target });

/** Recipients of the envelope, without repeats. Each must have a mailbox in this jar. */
export async function localRecipients(
  jar: MailJar,
  people: readonly MailAddress[],
  target: string,
): Promise<readonly string[]> {
  const all = [...new Map(people.map(({ address }) => [address.toLowerCase(), address])).values()];
  if (all.length > MOST_RECIPIENTS)
    throw mailControlErrors.TooManyRecipients({ maximum: MOST_RECIPIENTS, count: all.length }, { target });
  for (const address of all) {
    const verdict = await acceptance(jar, address);
    if (verdict === 'no-mailbox') throw mailControlErrors.RecipientUnknown({ address }, { target });
    if (verdict === 'not-local')
      throw mailControlErrors.RecipientElsewhere({ address, domains: await domainsOf(jar) }, { target });
  }
  return all;
}

async function domainsOf({ store }: MailJar): Promise<string> {
  const { items, next } = await store.query(tenants, { order: [{ field: 'domain' }], limit: MOST_DOMAINS });
  return [...items.map(({ value }) => value.domain), ...(next ? ['…'] : [])].join(', ');
}
