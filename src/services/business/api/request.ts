import type { Method } from '../../../kernel/http/index.ts';

/** A request to one API, sent alone or as part of a batch. */
export interface BusinessRequest {
  readonly method: Method;
  /** Path below the API, percent-encoded as sent: `companies(…)/customers`. */
  readonly path: string;
  /** Decoded. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The text after the question mark, as sent; used in next links. */
  readonly search: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, bytes if a stream is written, or `undefined`. */
  readonly body: unknown;
  /** The body as sent, if it was sent as bytes. */
  readonly bytes?: Buffer;
}
