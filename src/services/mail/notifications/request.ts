import type { Caller } from '../../../kernel/auth/index.ts';
import type { Answer, Method } from '../../../kernel/http/index.ts';
import type { RequestHead } from '../api/request.ts';
import type { MailJar } from '../jar.ts';
import type { RequestLimits } from './limits.ts';

/** A request to `/subscriptions`, sent alone or in a batch. */
export interface SubscriptionCall extends RequestHead {
  readonly jar: MailJar;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** Throws the API's error if the body is not JSON. */
  json(): unknown;
}

/** One row of the table of operations. */
export interface SubscriptionOperation {
  readonly method: Method;
  /** Path below the version. */
  readonly path: string;
  readonly name: string;
  readonly limits: RequestLimits;
  handle(call: SubscriptionCall): Promise<Answer>;
}
