import { shortened } from '../../../kernel/delivery/index.ts';
import { decodeSkipToken, encodeSkipToken, parseQuery } from '../../../kernel/http/index.ts';
import type { Position } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { mailboxStates } from '../collections.ts';
import { errors } from '../errors.ts';
import { currentLine } from './line.ts';
import { DELTA_OPTIONS } from './options.ts';

/** A round of delta: from what the client knows (nothing, in the first round) up to a number that stays the same on all pages. */
export interface Round {
  readonly line: string;
  /** What is asked for: a folder, a calendar, all folders. */
  readonly container: string;
  /** The query of the first call, as sent: it holds for all later ones. */
  readonly search: string;
  /** In another's mailbox: the calendars that are shared with the caller, and how. Absent in the own one. */
  readonly shared?: string;
  /** The client knows all changes up to this number; absent in the first round. */
  readonly from?: number;
  readonly upTo: number;
  readonly place: Place;
}

/** Where the page before ended. */
export interface Place {
  /** The number of the last change that was shown in full. */
  readonly number?: number;
  /** Of a list in another order than that of the numbers. */
  readonly position?: Position;
  /** Rows shown of the item with this number, where an item has many. */
  readonly begun?: { readonly number: number; readonly rows: number };
  /** Rows shown on all pages. */
  readonly given?: number;
}

type Progress = Omit<Round, 'upTo'> & { readonly upTo?: number };

const TOKEN_NAMES = ['skiptoken', 'deltatoken'] as const;
type TokenName = (typeof TOKEN_NAMES)[number];

/** Both tokens hold the whole query; an address has to fit into the head of a request. */
const LONGEST_SEARCH = 4000;

const plainName = (name: string): string => name.replace(/^\$/, '').toLowerCase();

const listOf = ({ mailbox }: MailCall, kind: string, name: TokenName): string =>
  `mail delta ${name} ${kind} ${mailbox.id}`;

/** `$skiptoken` goes on with a round, `$deltatoken` begins the next one. */
export function linkTo(call: MailCall, kind: string, name: TokenName, progress: Progress): string {
  const token = encodeSkipToken(call.jar.vault, listOf(call, kind, name), progress);
  return `${baseOf(call)}/${call.path}?$${name}=${token}`;
}

/** The round that a call belongs to. Throws 410 where its token is of another time. */
export async function roundOf(call: MailCall, kind: string, container: string): Promise<Round> {
  const line = await currentLine(call.jar.store);
  // Behind the name of the line: whatever is written meanwhile has higher numbers.
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
  if (known.line !== line) throw expired('the token was made before the state of the jar was replaced');
  if (known.container !== container) throw wrongToken('it was made for another folder or calendar');
  // What was shared since has no change of its own, and what no longer is must be forgotten.
  if (known.shared !== shared) throw expired('the calendars are shared otherwise than when the token was made');
  if (Math.max(upTo, from ?? 0) > newest) throw expired('the token is of a later time than the mailbox');
  if ((from ?? upTo) < forgotten) throw expired('the token is too old: removed items are no longer known from then on');
  return { ...known, upTo };
}

/** The roles follow from the token of the caller and the permissions of the calendars. */
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
  // An empty one asks to start again, as the answer 410 says.
  const [first, ...others] = given.filter(([, value]) => value !== '');
  if (!first) return undefined;
  const [name, token] = first;
  if (others.length > 0 || typeof token !== 'string') throw wrongToken('one token is expected');
  const further = Object.keys(call.query).find((each) => each !== name && isOption(each));
  if (further !== undefined)
    throw errors.ErrorInvalidUrlQuery(
      { reason: `'${further}' belongs to the first call; a token holds the options of its round.` },
      { target: further },
    );
  const list = listOf(call, kind, plainName(name) as TokenName);
  const known = decodeSkipToken<Progress>(call.jar.vault, list, token);
  if (!known) throw wrongToken('it was not made here, or not for this mailbox and this path');
  return known;
}

const OPTIONS: ReadonlySet<string> = new Set([...DELTA_OPTIONS, 'startdatetime']);
const isOption = (name: string): boolean => OPTIONS.has(plainName(name));

const wrongToken = (reason: string): Error =>
  errors.ErrorInvalidUrlQuery({ reason: `The token is not valid: ${reason}.` }, { target: '$deltatoken' });

/** What stands in the address of the first call, without an empty token. */
function searchOf({ search }: MailCall): string {
  if (search.length > LONGEST_SEARCH)
    throw errors.ErrorInvalidUrlQuery({
      reason: `The query has ${search.length} characters, and ${LONGEST_SEARCH} is the most for delta.`,
    });
  return search
    .split('&')
    .filter((pair) => pair !== '' && !/^(\$|%24)?(skip|delta)token=/i.test(pair))
    .join('&');
}

/** The call as the first one of its round was: with its options. */
export const asFirst = (call: MailCall, { search }: Round): MailCall => ({
  ...call,
  search,
  query: parseQuery(search),
});
