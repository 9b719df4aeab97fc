import { shortId } from '../../../kernel/ids/index.ts';
import { errors } from '../errors.ts';

const LONGEST_NAME = 100;
/** Limit for display names of users, organizations, apps and teams. */
export const LONGEST_DISPLAY_NAME = 200;
const NAME = /^[a-z0-9][a-z0-9._~-]*$/i;
/** No invisible characters and none that is invalid in a URL; they would only help to impersonate another address. */
const MAIL = /^[^\s@/\p{C}]{1,64}@[^\s@/\p{C}]{1,253}$/u;

/** Validates a name used in URLs: of a user, an organization, an app or a team. */
export function checkName(name: string, field = 'name'): void {
  if (name.length <= LONGEST_NAME && NAME.test(name)) return;
  const rule = `1 to ${LONGEST_NAME} letters, digits, '.', '_', '~' and '-', beginning with a letter or a digit`;
  throw errors.BadRequest(
    { reason: `The ${field} '${name.slice(0, 60)}' is not valid: it must be ${rule}.` },
    { target: field },
  );
}

/**
 * Derives a URL name from a display name: `My first App!` becomes `My-first-App`. If the display name has no usable characters, for example
 * because it is in another script, a random name is generated.
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
