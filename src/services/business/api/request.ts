import type { Method } from '../../../kernel/http/index.ts';

/** A request to one API, whether it came by itself or as a part of a batch. */
export interface BusinessRequest {
  readonly method: Method;
  /** Below the API: `companies(…)/customers`, percent-encoded as sent. */
  readonly path: string;
  /** Decoded. */
  readonly query: Readonly<Record<string, unknown>>;
  /** As sent, for the addresses of next pages: what stands behind the question mark. */
  readonly search: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON that was read, bytes where a stream is written, `undefined` where there is none. */
  readonly body: unknown;
  /** The body as it was sent, where it was sent as bytes. */
  readonly bytes?: Buffer;
}
