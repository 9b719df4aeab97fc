import type { Caller } from '../../../kernel/auth/index.ts';
import { checkNeed } from '../access/authenticate.ts';
import { checkBasicQuery } from '../access/basic.ts';
import { delegatedEvent } from '../access/delegated-event.ts';
import { addressedMailbox } from '../access/mailbox.ts';
import { NEEDS } from '../access/scopes.ts';
import type { Sharing } from '../access/sharing.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { operations } from '../operations.ts';
import type { Found } from './operations.ts';
import { checkOptions } from './options.ts';
import { type Place, readPath } from './path.ts';
import { type Preferences, readPreferences } from './preferences.ts';
import type { RequestHead } from './request.ts';

/** Everything known about a request before its body is read. */
export interface Prepared extends Found {
  readonly head: RequestHead;
  readonly caller: Caller;
  readonly mailbox: Mailbox;
  readonly sharing?: Sharing;
  readonly place: Place;
  readonly prefer: Preferences;
  readonly isBasic: boolean;
}

/** The meaning of a path, independent of the caller. */
export interface Located {
  readonly user: string | undefined;
  readonly place: Place;
  readonly found: Found;
}

/** Finds the operation. Throws if there is none. */
export function locate(head: RequestHead): Located {
  const { user, rest } = splitUser(head.path);
  const path = readPath(rest);
  if (!path) throw errors.BadRequest({ reason: 'The path is not encoded correctly.' });
  const prefix = `/${head.version}/${user === undefined ? 'me' : 'users/{user}'}`;
  const below = { prefix, origin: head.origin };
  return { user, place: path.place, found: operations.find(head.method, head.version, path.segments, below) };
}

/** Checks that the token allows the operation, and finds the mailbox. */
export async function prepare(
  jar: MailJar,
  caller: Caller,
  head: RequestHead,
  { user, place, found }: Located = locate(head),
): Promise<Prepared> {
  const { isBasic } = checkNeed(caller, NEEDS[found.operation.needs]);
  if (isBasic) checkBasicQuery(head);
  checkOptions(head);
  const prefer = readPreferences(head.headers.prefer, head.method);
  const addressed = await addressedMailbox(jar, caller, user, found.operation);
  const common = { head, caller, prefer, isBasic };
  const delegated = addressed.sharing ? undefined : await delegatedEvent(jar, addressed.mailbox, place);
  if (!delegated) return { ...found, ...addressed, ...common, place };
  const theirs = await addressedMailbox(jar, caller, delegated.principal, found.operation);
  const params = { ...found.params, event: delegated.key };
  return { operation: found.operation, params, ...theirs, ...common, place: {} };
}

/** `me/messages` → undefined, the caller; `users/{id}/messages`, `users('{id}')/messages` → the user with this id or name. */
export function splitUser(path: string): { readonly user: string | undefined; readonly rest: readonly string[] } {
  const segments = splitSegments(path);
  const first = segments[0] ?? '';
  if (first.toLowerCase() === 'me') return { user: undefined, rest: segments.slice(1) };
  const keyed = /^users\((?:'|%27)(.*)(?:'|%27)\)$/i.exec(first)?.[1];
  const user = keyed ?? (first.toLowerCase() === 'users' ? segments[1] : undefined);
  if (user === undefined) throw errors.BadRequest__Path({ segment: first.slice(0, 100), hint: '' });
  return { user: decodedName(user), rest: segments.slice(keyed === undefined ? 2 : 1) };
}

/** A slash inside a quoted key does not split. */
function splitSegments(path: string): readonly string[] {
  if (!path.includes("('")) return path.split('/').filter(Boolean);
  const segments: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at <= path.length; at++) {
    const char = path[at];
    if (char === "'" && (quoted || /[(=\w]/.test(path[at - 1] ?? ''))) quoted = !quoted;
    if (at === path.length || (char === '/' && !quoted)) {
      if (at > from) segments.push(path.slice(from, at));
      from = at + 1;
    }
  }
  return segments;
}

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll("''", "'");
  } catch {
    throw errors.ErrorInvalidUser({ user: text.slice(0, 100) });
  }
}
