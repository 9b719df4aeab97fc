import { shortId } from '../../../kernel/ids/index.ts';
import { errors } from '../errors.ts';

const LONGEST_NAME = 100;
/** Of users, organizations, apps and teams, as they are shown to people. */
export const LONGEST_DISPLAY_NAME = 200;
const NAME = /^[a-z0-9][a-z0-9._~-]*$/i;
/** No signs that cannot be seen, and none that an address cannot hold: they serve only to look like somebody else. */
const MAIL = /^[^\s@/\p{C}]{1,64}@[^\s@/\p{C}]{1,253}$/u;

/** A name that stands in addresses: of a user, an organization, an app or a team. */
export function checkName(name: string, field = 'name'): void {
  if (name.length <= LONGEST_NAME && NAME.test(name)) return;
  const rule = `1 to ${LONGEST_NAME} letters, digits, '.', '_', '~' and '-', of which the first is a letter or a digit`;
  throw errors.BadRequest(
    { reason: `The ${field} '${name.slice(0, 60)}' is not valid: it must be ${rule}.` },
    { target: field },
  );
}

/**
 * The name that something gets which has only one to be shown: `My first App!` is `My-first-App`. One that is all signs or in another
 * script leaves nothing to put into an address, and gets a name that says nothing.
 */
export function nameFor(displayName: string): string {
  const words = displayName.normalize('NFKD').match(/[A-Za-z0-9._~]+/g) ?? [];
  const name = words.join('-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, LONGEST_NAME) || shortId();
}

export const isEmail = (text: string): boolean => MAIL.test(text);

export function checkEmail(email: string, field = 'user_email'): void {
  if (isEmail(email)) return;
  throw errors.BadRequest(
    { reason: `The ${field} '${email.slice(0, 100)}' is not an e-mail address.` },
    { target: field },
  );
}
