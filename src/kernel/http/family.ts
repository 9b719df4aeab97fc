import type { TSchema } from 'typebox';
import type { JsonBounds } from '../values/parse-json.ts';
import type { ApiError } from './errors.ts';
import type { HttpJar } from './jar.ts';
import type { Addressed } from './nearest-path.ts';
import type { Answer, Call, FamilyShape, Method, Route } from './route.ts';

/**
 * Protocol behaviour that the routes of one API share: the format of errors, the headers of every response, and the checks before every
 * handler. Handlers throw `ApiError`; the family renders it.
 */
export interface ApiFamily<S extends FamilyShape = FamilyShape> {
  readonly name: string;
  /** Run in order, before query and body are validated. */
  readonly steps: readonly FamilyStep<S>[];
  /** Reduces a body to the part that validation and the handler see; by default all of it. */
  readable?(call: FamilyCall<S>, body: unknown): unknown;
  renderError(error: ApiError, call: FamilyCall<S>): Answer;
  /** Schema of the error body, for the OpenAPI document. */
  readonly errorSchema?: TSchema;
  /** How callers of a route authenticate (any one of these suffices); by bearer token if not given. For the OpenAPI document. */
  credentials?(route: DescribedRoute<S>): readonly Credential[];
  /** Statuses with which the steps reject calls of a route, with the reasons. For the OpenAPI document. */
  refusals?(route: DescribedRoute<S>): Readonly<Record<number, string>>;
  /** Query parameters of every call in addition to the route's schema. For the OpenAPI document. */
  parameters?(route: DescribedRoute<S>): readonly CommonParameter[];
  /** Headers of every response, including errors. */
  commonHeaders(call: FamilyCall<S>): Readonly<Record<string, string>>;
  /** The error for a path or method without a route, if the family has a better one than "not found" and "not allowed". */
  unmatched?(call: FamilyCall<S>, unserved: Unserved): Promise<ApiError | undefined> | ApiError | undefined;
  /** Called for every finished call, after the response is known and before it is sent. */
  finished?(call: FamilyCall<S>, answer: Answer, error: ApiError | undefined): Promise<void> | void;
  readonly bodyLimitBytes: number;
  /** Limits of JSON bodies that differ from `JSON_BOUNDS`. */
  readonly json?: Partial<JsonBounds>;
  /** JSON is parsed whatever the content type: command-line tools send that of a form by default. */
  readonly anyContentType?: true;
  /** Message for malformed JSON, if the family has its own; `reason` describes the problem. */
  malformedJson?(reason: string): string;
  /** Whether browsers of any origin may call it (it accepts bearer tokens, never cookies). */
  readonly cors: boolean;
  /** Error codes for the kernel's own checks. */
  readonly codes: Readonly<Record<KernelMistake, string>>;
  /** Codes for statuses that a fault simulates, if they differ from the name of the status. */
  readonly statusCodes?: Readonly<Record<number, string>>;
}

/** Why a call has no route. */
export interface Unserved {
  /** Methods that are served at the path; empty if there are none. */
  readonly allow: readonly Method[];
  /** The most similar route. */
  readonly suggestion: Addressed | undefined;
  /** Sentences for the message, with a leading blank: the most similar route, and where all routes are listed. */
  readonly hint: string;
}

/**
 * A check before every handler; throws to reject the call. Declared as a method, so that services can have steps for calls with their own
 * context.
 */
export type FamilyStep<S extends FamilyShape = FamilyShape> = {
  step(call: FamilyCall<S>): Promise<void> | void;
}['step'];

/** A call as its family sees it, for any route. */
export type FamilyCall<S extends FamilyShape, J extends HttpJar = HttpJar> = Call<
  Call['params'],
  Call['query'],
  unknown,
  J,
  S
>;

export type DescribedRoute<S extends FamilyShape = FamilyShape> = Pick<Route<S>, 'method' | 'open' | 'traits'>;

/** A required query parameter with its values. */
export interface CommonParameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** A bearer token; a key that is sent like a bearer token, with its own name and description; or a key in a header of this name. */
export type Credential = 'bearer' | { readonly bearer: string; readonly about: string } | { readonly header: string };

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
