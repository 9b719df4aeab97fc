import type { Caller } from '../../../kernel/auth/index.ts';
import type { Answer, Method } from '../../../kernel/http/index.ts';
import type { NeedName } from '../access/scopes.ts';
import type { Sharing } from '../access/sharing.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Place } from './path.ts';
import type { Preferences } from './preferences.ts';
import type { Version } from './version.ts';

/** A request, sent alone or in a batch, before its body is read. */
export interface RequestHead {
  readonly method: Method;
  readonly version: Version;
  /** The origin by which the client reached the jar, for example `https://localhost:7443`. */
  readonly origin: string;
  /** The path below the version, as sent, without the query: `me/messages`. */
  readonly path: string;
  /** Decoded. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The query string after the question mark, as sent. */
  readonly search: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** By the jar's clock. */
  readonly receivedAt: number;
}

/** The input of a handler. */
export interface MailCall extends RequestHead {
  readonly jar: MailJar;
  readonly caller: Caller;
  /** The mailbox that the path names. */
  readonly mailbox: Mailbox;
  /**
   * The calendars that the caller may use in another user's mailbox; absent for the caller's own. Only operations with `isSharable` get it.
   */
  readonly sharing?: Sharing;
  /** Path keys by the parameter names of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly prefer: Preferences;
  /** The token has only a basic permission: answers leave out content. */
  readonly isBasic: boolean;
  /** Headers of the answer, also of an error. Names in lower case. */
  readonly responseHeaders: Record<string, string>;
  /** The body as JSON; undefined without a body. Throws the API's error if the body is not JSON. */
  json(): unknown;
  /** The body as it was sent. */
  readonly bytes: Buffer | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The part of a call that views of items need: the mailbox, and how to show it. */
export type Viewer = Pick<MailCall, 'origin' | 'version' | 'mailbox' | 'prefer' | 'query' | 'isBasic' | 'sharing'>;

/** One row of the table of operations. */
export interface Operation {
  readonly method: Method;
  /**
   * Path below the mailbox: `messages/{message}/move`. Does not include folders and calendars before items: see `path.ts`. Names match
   * case-insensitively.
   */
  readonly path: string;
  /** Name in metrics and logs, for example `MoveMessage`. */
  readonly name: string;
  readonly summary: string;
  readonly needs: NeedName;
  /** Only in the beta version. */
  readonly isBeta?: boolean;
  /** Only for the user's own mailbox with a delegated token; applications cannot call it. */
  readonly isOwn?: boolean;
  /** Works on calendars that another user has shared with the caller, and checks `call.sharing`. */
  readonly isSharable?: boolean;
  handle(call: MailCall): Promise<Answer> | Answer;
}
