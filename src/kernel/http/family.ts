import type { TSchema } from 'typebox';
import type { ApiError } from './errors.ts';
import type { Answer, Call, Route } from './route.ts';

/**
 * What the routes of one API have in common on the wire: how an error looks, which headers every answer carries, and the
 * checks in front of every handler. Handlers throw `ApiError`; the family renders it.
 */
export interface ApiFamily {
  readonly name: string;
  /** Runs in order before validation of query and body. */
  readonly steps: readonly FamilyStep[];
  renderError(error: ApiError, call: Call): Answer;
  /** The shape of what `renderError` puts into the body, for the OpenAPI document. */
  readonly errorSchema?: TSchema;
  /** How calls of a route say who they are, any one of which will do; by a bearer token unless given. For the OpenAPI document. */
  credentials?(route: DescribedRoute): readonly Credential[];
  /** The statuses with which the steps refuse calls of a route, and when. For the OpenAPI document. */
  refusals?(route: DescribedRoute): Readonly<Record<number, string>>;
  /** Headers of every answer, errors included. */
  commonHeaders(call: Call): Readonly<Record<string, string>>;
  /** The error for an address that no route has, where the family knows a better one than "not found". */
  unmatched?(call: Call): Promise<ApiError | undefined>;
  /** Told of every finished call, after the answer is known and before it is sent. */
  finished?(call: Call, answer: Answer, error: ApiError | undefined): Promise<void> | void;
  readonly bodyLimitBytes: number;
  /** Browsers of any origin may call it (it takes bearer tokens, never cookies). */
  readonly cors: boolean;
  /** The codes of mistakes that the kernel itself finds. */
  readonly codes: Readonly<Record<KernelMistake, string>>;
  /** Its codes for statuses that are ordered by a fault, where they are not simply the name of the status. */
  readonly statusCodes?: Readonly<Record<number, string>>;
}

/** A check in front of every handler; throws to refuse. A method, so that services can have steps for calls with a context of their own. */
export type FamilyStep = { step(call: Call): Promise<void> | void }['step'];

export type DescribedRoute = Pick<Route, 'method' | 'open' | 'traits'>;

/** A bearer token, or a key in a header of this name. */
export type Credential = 'bearer' | { readonly header: string };

export type KernelMistake =
  | 'malformedJson'
  | 'invalidBody'
  | 'invalidQuery'
  | 'bodyTooLarge'
  | 'unsupportedMediaType'
  | 'notFound'
  | 'methodNotAllowed'
  | 'preconditionFailed'
  | 'internal'
  | 'unavailable';
