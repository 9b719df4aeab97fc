import type { Caller } from '../../../kernel/auth/index.ts';
import { ApiError, parseQuery } from '../../../kernel/http/index.ts';
import { ODataError, readQueryOptions } from '../../../kernel/odata/index.ts';
import { checkNeed } from '../access/authenticate.ts';
import { addressedMailbox } from '../access/mailbox.ts';
import { NEEDS } from '../access/scopes.ts';
import { readPath } from '../api/path.ts';
import { splitUser } from '../api/prepare.ts';
import { errors } from '../errors.ts';
import { folderNamed } from '../folders/find.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { ITEMS } from './items.ts';
import type { Subscription, Target } from './types.ts';

/** A parsed resource path: `me/mailFolders('inbox')/messages?$filter=isRead eq false`. */
export interface Resource {
  readonly target: Target;
  readonly mailbox: Mailbox;
  readonly isBasic: boolean;
}

const WATCHED = 'change notifications are supported for messages, for the messages of a folder, and for events';
const LONGEST_RESOURCE = 4000;
/** Properties that notifications never carry. */
const UNSELECTABLE = new Set(['*', 'body', 'uniquebody']);

/** Throws if the resource does not exist, or if the caller's token may not read it. */
export async function readResource(
  jar: MailJar,
  caller: Caller,
  resource: string,
  hasResourceData: boolean,
): Promise<Resource> {
  if (resource.length > LONGEST_RESOURCE) throw wrong(`it has more than ${LONGEST_RESOURCE} characters`);
  if (/^[a-z]+:\/\//i.test(resource))
    throw wrong("it must be relative, without the origin of the service: 'me/messages'");
  const [path = '', ...behind] = resource.replace(/^\/+/, '').split('?');
  if (!/^(?:me|users)(?:[/(]|$)/i.test(path)) throw wrong(WATCHED);
  const { user, rest } = splitUser(path);
  const read = readPath(rest);
  const item = read?.segments.length === 1 ? itemOf(read.segments[0]?.text ?? '') : undefined;
  if (!read || !item || read.place.calendar !== undefined) throw wrong(WATCHED);
  const { isBasic } = checkRight(caller, item, 'Create');
  const { mailbox } = await addressedMailbox(jar, caller, user, ITEMS[item]).catch(asExtensionError);
  const options = await readOptions({ item, hasResourceData, isBasic }, behind.join('?'), jar.clock.now());
  const { folder: key } = read.place;
  const folder = key === undefined ? undefined : (await folderNamed(jar.store, mailbox, key)).uid;
  return {
    target: { mailbox: mailbox.id, item, ...(folder !== undefined && { folder }), ...options },
    mailbox,
    isBasic,
  };
}

function itemOf(name: string): Target['item'] | undefined {
  if (/^messages$/i.test(name)) return 'message';
  return /^events$/i.test(name) ? 'event' : undefined;
}

/** Reading, changing or deleting a subscription requires the same permission as creating it. */
export function checkRight(caller: Caller, item: Subscription['item'], operation: string) {
  try {
    return checkNeed(caller, NEEDS[ITEMS[item].needs]);
  } catch (cause) {
    const reason = `Access to ${item}s is denied: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw errors.ExtensionError__Forbidden({ operation, reason }, { cause });
  }
}

/** Users can subscribe only to their own mailbox, not to one that is shared with them. */
function asExtensionError(cause: unknown): never {
  if (!(cause instanceof ApiError) || cause.status !== 403) throw cause;
  throw errors.ExtensionError__Forbidden({ operation: 'Create', reason: cause.message }, { cause });
}

interface Asked {
  readonly item: Target['item'];
  readonly hasResourceData: boolean;
  readonly isBasic: boolean;
}

async function readOptions(
  { item, hasResourceData, isBasic }: Asked,
  search: string,
  now: number,
): Promise<Pick<Target, 'filter' | 'select' | 'expand'>> {
  const query = parseQuery(search);
  try {
    const { filter, select, expand, ...others } = readQueryOptions(query);
    const [refused] = Object.keys(others);
    if (refused !== undefined) throw wrong(`the query parameter '$${refused.toLowerCase()}' is not supported`);
    if (filter !== undefined) ITEMS[item].readFilter(filter, now);
    if (select === undefined && hasResourceData) throw wrong("with 'includeResourceData' it needs '$select'");
    if (select !== undefined) {
      if (!hasResourceData) throw wrong("'$select' is supported only with 'includeResourceData'");
      const heavy = ITEMS[item].readSelect(select).find((name) => UNSELECTABLE.has(name.toLowerCase()));
      if (heavy !== undefined) throw wrong(`'${heavy}' cannot be selected for notifications`);
    }
    if (expand !== undefined) {
      if (!hasResourceData) throw wrong("'$expand' is supported only with 'includeResourceData'");
      await ITEMS[item].checkExpand({ isBasic }, expand, now).catch(asExtensionError);
    }
    return {
      ...(filter !== undefined && { filter }),
      ...(select !== undefined && { select }),
      ...(expand !== undefined && { expand }),
    };
  } catch (error) {
    if (error instanceof ODataError) throw wrong(error.message);
    throw error;
  }
}

const wrong = (reason: string): Error =>
  errors.InvalidRequest({ reason: `The resource cannot be subscribed to: ${reason}.` }, { target: 'resource' });
