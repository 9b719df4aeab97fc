import type { Caller } from '../../../kernel/auth/index.ts';
import type { Answer, Method } from '../../../kernel/http/index.ts';
import type { NeedName } from '../access/scopes.ts';
import type { Sharing } from '../access/sharing.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Place } from './path.ts';
import type { Preferences } from './preferences.ts';
import type { Version } from './version.ts';

/** A request, whether it came alone or in a batch: what is known of it before its body is read. */
export interface RequestHead {
  readonly method: Method;
  readonly version: Version;
  /** `https://localhost:7443`: how the client reached the jar. */
  readonly origin: string;
  /** Below the version, as sent, without the query: `me/messages`. */
  readonly path: string;
  /** Decoded. */
  readonly query: Readonly<Record<string, unknown>>;
  /** What stands behind the question mark, as sent. */
  readonly search: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** By the jar's clock. */
  readonly receivedAt: number;
}

/** What a handler gets. */
export interface MailCall extends RequestHead {
  readonly jar: MailJar;
  readonly caller: Caller;
  /** The mailbox that the path names. */
  readonly mailbox: Mailbox;
  /** The mailbox is another's: which of its calendars the caller may use. Only operations that are `isSharable` have it. */
  readonly sharing?: Sharing;
  /** Keys of the path by the names in the template of the operation. */
  readonly params: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly prefer: Preferences;
  /** The token has a basic permission alone: answers leave out content. */
  readonly isBasic: boolean;
  /** Headers of the answer, whatever it is. Names in lower case. */
  readonly responseHeaders: Record<string, string>;
  /** The body as JSON; undefined where there is none. Throws the API's error for what is no JSON. */
  json(): unknown;
  /** The body as it was sent. */
  readonly bytes: Buffer | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** What the views of items need of a call: whose mailbox it is, and how it is shown. */
export type Viewer = Pick<MailCall, 'origin' | 'version' | 'mailbox' | 'prefer' | 'query' | 'isBasic' | 'sharing'>;

/** One row of the table of operations. */
export interface Operation {
  readonly method: Method;
  /**
   * Below the mailbox: `messages/{message}/move`. Folders and calendars in front of items are no part of it: see `path.ts`. Names match in any case.
   */
  readonly path: string;
  /** `MoveMessage`: in metrics and logs. */
  readonly name: string;
  readonly summary: string;
  readonly needs: NeedName;
  /** Part of the beta version alone. */
  readonly isBeta?: boolean;
  /** Delegated tokens only for the own mailbox, and no applications. */
  readonly isOwn?: boolean;
  /** Works on calendars that another has shared with the caller, and looks at `call.sharing`. */
  readonly isSharable?: boolean;
  handle(call: MailCall): Promise<Answer> | Answer;
}
