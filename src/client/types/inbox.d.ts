/** A request as an inbox got it. */
export interface ReceivedRequest {
  /** Numbers count up from 1 without gaps. */
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  readonly bodyBytes: number;
  readonly truncated: boolean;
  readonly handshake: { readonly kind: string; readonly answered: boolean; readonly url?: string } | null;
  readonly answered: { readonly status: number; readonly delayMs?: number };
  /** The body, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json(): any;
}

/** How an inbox is to answer; what is not given is as it was at first. */
export interface InboxBehaviour {
  /** The first so many requests get this status (503 unless given). */
  readonly fail?: { readonly times: number; readonly status?: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of real time, whatever the jar's clock does. */
  readonly delayMs?: number;
  readonly handshake?: 'answer' | 'ignore' | 'refuse' | 'manual';
}

export interface TestInbox {
  readonly url: string;
  readonly httpsUrl: string;
  /** Everything that is kept, the oldest first, handshakes included. */
  requests(): Promise<ReceivedRequest[]>;
  /**
   * The oldest request that `next` has not given yet, waited for if need be. Handshakes are passed over, unless a predicate
   * says yes to one. What a predicate refuses is still there for later calls, and so is, after a
   * restore, what had not been given yet when the snapshot was taken.
   */
  next(
    predicate?: (request: ReceivedRequest) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<ReceivedRequest>;
  respond(behaviour: InboxBehaviour): Promise<void>;
  /** The next `times` requests get this status, 503 unless given; the rest of the behaviour stays. */
  failTimes(times: number, status?: number): Promise<void>;
  /** Removes what was received; the behaviour stays. */
  clear(): Promise<void>;
}
