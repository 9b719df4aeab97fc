import type { ServerResponse } from 'node:http';
import type { RequestCall } from './call.ts';
import type { Owner } from './owner.ts';
import type { Answer } from './route.ts';

/** What a fault rule does to one request. */
export interface Interference {
  readonly rule: string;
  /** The connection is to end here: by the rule, or because the client left while it was kept waiting. */
  readonly dropped: boolean;
  /** Given in place of what the service would answer; the service never sees the request. */
  readonly answer: Answer | undefined;
  /** The real answer with what the rule adds to it. */
  mark(answer: Answer): Answer;
  /** Gives how many bytes the body has, where that is known. */
  send(response: ServerResponse, answer: Answer): number | undefined;
}

/** Looks whether a fault rule strikes a request; nothing to wait for where none does. */
export type Interfere = (owner: Owner, call: RequestCall) => Promise<Interference | undefined> | undefined;
