import { shortened } from '../../../kernel/delivery/index.ts';
import { decodeSkipToken, encodeSkipToken, parseQuery } from '../../../kernel/http/index.ts';
import type { Position } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { mailboxStates } from '../collections.ts';
import { errors } from '../errors.ts';
import { currentLine } from './line.ts';
import { DELTA_OPTIONS } from './options.ts';

/** A round of delta: the changes after the client's state (all items in the first round) up to a number that is the same for all pages. */
export interface Round {
  readonly line: string;
  /** The folder or calendar, or all folders. */
  readonly container: string;
  /** Query of the first call, as sent; it applies to all later calls. */
  readonly search: string;
  /** In another user's mailbox: a digest of the shared calendars with their roles. Absent in the caller's own mailbox. */
  readonly shared?: string;
  /** The client knows all changes up to this number; absent in the first round. */
  readonly from?: number;
  readonly upTo: number;
  readonly place: Place;
}

/** Where the previous page ended. */
export interface Place {
  /** Number of the last change that was shown completely. */
  readonly number?: number;
  /** Position in a list that is not ordered by number. */
  readonly position?: Position;
  /** For an item with many rows: rows that were shown of the item with this number. */
  readonly begun?: { readonly number: number; readonly rows: number };
  /** Rows shown on all pages. */
  readonly given?: number;
}

type Progress = Omit<Round, 'upTo'> & { readonly upTo?: number };

const TOKEN_NAMES = ['skiptoken', 'deltatoken'] as const;
type TokenName = (typeof TOKEN_NAMES)[number];

/** Both tokens contain the whole query, and a URL must fit into a request. */
const LONGEST_SEARCH = 4000;

const plainName = (name: string): string => name.replace(/^\$/, '').toLowerCase();

const listOf = ({ mailbox }: MailCall, kind: string, name: TokenName): string =>
  `mail delta ${name} ${kind} ${mailbox.id}`;

/** `$skiptoken` continues a round, `$deltatoken` begins the next one. */
export function linkTo(call: MailCall, kind: string, name: TokenName, progress: Progress): string {
  const token = encodeSkipToken(call.jar.vault, listOf(call, kind, name), progress);
  return `${baseOf(call)}/${call.path}?$${name}=${token}`;
}

/** The round that a call belongs to. Throws 410 if its token has expired. */
export async function roundOf(call: MailCall, kind: string, container: string): Promise<Round> {
  const line = await currentLine(call.jar.store);
  // Read after the name of the line: anything written meanwhile has a higher number.
  const state = (await call.jar.store.get(mailboxStates, call.mailbox.id))?.value;
  const newest = state?.number ?? 0;
  const known = tokenIn(call, kind);
  const shared = sharedWith(call);
  if (!known) return { line, container, search: searchOf(call), ...(shared && { shared }), upTo: newest, place: {} };
  const { upTo = newest, from } = known;
  const forgotten = state?.forgotten ?? 0;
  const expired = (reason: string): Error => {
    const search = [known.search, '$deltatoken='].filter((each) => each !== '').join('&');
    return errors.SyncStateNotFound({ reason }, { headers: { location: `${baseOf(call)}/${call.path}?${search}` } });
  };
  if (known.line !== line) throw expired('the token was created before the state of the jar was replaced');
  if (known.container !== container) throw invalidTokenError('it was created for another folder or calendar');
  // Newly shared calendars have no change record, and calendars no longer shared must be forgotten.
  if (known.shared !== shared) throw expired('the sharing of the calendars has changed since the token was created');
  if (Math.max(upTo, from ?? 0) > newest) throw expired('the token is newer than the state of the mailbox');
  if ((from ?? upTo) < forgotten)
    throw expired('the token is too old: removed items are no longer recorded that far back');
  return { ...known, upTo };
}

/** Digest of the roles, which depend on the caller's token and the permissions of the calendars. */
const sharedWith = ({ sharing }: MailCall): string | undefined =>
  sharing &&
  shortened(
    [...sharing.calendars]
      .map((each) => each.join(' '))
      .sort()
      .join('\n'),
  );

function tokenIn(call: MailCall, kind: string): Progress | undefined {
  const given = Object.entries(call.query).filter(([name]) =>
    (TOKEN_NAMES as readonly string[]).includes(plainName(name)),
  );
  // An empty token starts over, as a 410 answer says.
  const [first, ...others] = given.filter(([, value]) => value !== '');
  if (!first) return undefined;
  const [name, token] = first;
  if (others.length > 0 || typeof token !== 'string') throw invalidTokenError('one token is expected');
  const further = Object.keys(call.query).find((each) => each !== name && isOption(each));
  if (further !== undefined)
    throw errors.ErrorInvalidUrlQuery(
      { reason: `'${further}' is allowed only in the first call; a token contains the options of its round.` },
      { target: further },
    );
  const list = listOf(call, kind, plainName(name) as TokenName);
  const known = decodeSkipToken<Progress>(call.jar.vault, list, token);
  if (!known) throw invalidTokenError('it was not created by this server for this mailbox and this path');
  return known;
}

const OPTIONS: ReadonlySet<string> = new Set([...DELTA_OPTIONS, 'startdatetime']);
const isOption = (name: string): boolean => OPTIONS.has(plainName(name));

const invalidTokenError = (reason: string): Error =>
  errors.ErrorInvalidUrlQuery({ reason: `The token is not valid: ${reason}.` }, { target: '$deltatoken' });

/** The query of the first call, without an empty token. */
function searchOf({ search }: MailCall): string {
  if (search.length > LONGEST_SEARCH)
    throw errors.ErrorInvalidUrlQuery({
      reason: `The query has ${search.length} characters; the maximum for delta is ${LONGEST_SEARCH}.`,
    });
  return search
    .split('&')
    .filter((pair) => pair !== '' && !/^(\$|%24)?(skip|delta)token=/i.test(pair))
    .join('&');
}

/** The call with the query of the first call of its round. */
export const asFirst = (call: MailCall, { search }: Round): MailCall => ({
  ...call,
  search,
  query: parseQuery(search),
});
