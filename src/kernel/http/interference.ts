import type { ServerResponse } from 'node:http';
import type { RequestCall } from './call.ts';
import type { Owner } from './owner.ts';
import type { Answer } from './route.ts';
import type { SentAnswer } from './send.ts';

/** The effect of a fault rule on one request. */
export interface FaultOnRequest {
  readonly rule: string;
  /** Whether to close the connection: because of the rule, or because the client disconnected during the delay. */
  readonly dropped: boolean;
  /** The simulated response; the service then never sees the request. */
  readonly answer: Answer | undefined;
  /** Adds the rule's headers to the real response. */
  mark(answer: Answer): Answer;
  send(response: ServerResponse, answer: Answer): SentAnswer;
}

/** Checks whether a fault rule applies to a request; returns undefined synchronously if none does. */
export type ApplyFault = (owner: Owner, call: RequestCall) => Promise<FaultOnRequest | undefined> | undefined;
