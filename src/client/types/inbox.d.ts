/** A request that an inbox received. */
export interface ReceivedRequest {
  /** Counts up from 1 without gaps. */
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
  /** The body, parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json(): any;
}

/** How an inbox answers; properties that are left out get their defaults. */
export interface InboxBehaviour {
  /** The first `times` requests get this status; default 503. */
  readonly fail?: { readonly times: number; readonly status?: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Real time, whatever the jar's clock does. */
  readonly delayMs?: number;
  readonly handshake?: 'answer' | 'ignore' | 'refuse' | 'manual';
}

export interface TestInbox {
  readonly url: string;
  readonly httpsUrl: string;
  /** All kept requests, oldest first, including handshakes. */
  requests(): Promise<ReceivedRequest[]>;
  /**
   * The oldest request that `next` has not returned yet; waits for one if necessary. Handshakes are skipped, unless the predicate accepts
   * one. Requests that the predicate rejects remain for later calls. After a restore, `next` returns the requests again that it had not
   * returned when the snapshot was taken.
   */
  next(
    predicate?: (request: ReceivedRequest) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<ReceivedRequest>;
  respond(behaviour: InboxBehaviour): Promise<void>;
  /** The next `times` requests get this status (default 503); the rest of the behaviour stays. */
  failTimes(times: number, status?: number): Promise<void>;
  /** Removes the received requests; the behaviour stays. */
  clear(): Promise<void>;
}
