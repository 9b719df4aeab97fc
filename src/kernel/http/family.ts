import type { TSchema } from 'typebox';
import type { JsonBounds } from '../values/parse-json.ts';
import type { ApiError } from './errors.ts';
import type { HttpJar } from './jar.ts';
import type { Addressed } from './nearest-path.ts';
import type { Answer, Call, FamilyShape, Method, Route } from './route.ts';

/**
 * What the routes of one API have in common on the wire: how an error looks, which headers every answer carries, and the
 * checks in front of every handler. Handlers throw `ApiError`; the family renders it.
 */
export interface ApiFamily<S extends FamilyShape = FamilyShape> {
  readonly name: string;
  /** Runs in order before validation of query and body. */
  readonly steps: readonly FamilyStep<S>[];
  /** What of a body validation and the handler see; all of it unless given. */
  readable?(call: FamilyCall<S>, body: unknown): unknown;
  renderError(error: ApiError, call: FamilyCall<S>): Answer;
  /** The shape of what `renderError` puts into the body, for the OpenAPI document. */
  readonly errorSchema?: TSchema;
  /** How calls of a route say who they are, any one of which will do; by a bearer token unless given. For the OpenAPI document. */
  credentials?(route: DescribedRoute<S>): readonly Credential[];
  /** The statuses with which the steps refuse calls of a route, and when. For the OpenAPI document. */
  refusals?(route: DescribedRoute<S>): Readonly<Record<number, string>>;
  /** Query parameters that every call of a route takes besides those of its schema. For the OpenAPI document. */
  parameters?(route: DescribedRoute<S>): readonly CommonParameter[];
  /** Headers of every answer, errors included. */
  commonHeaders(call: FamilyCall<S>): Readonly<Record<string, string>>;
  /** The error for an address or a method that no route has, where the family knows a better one than "not found" and "not allowed". */
  unmatched?(call: FamilyCall<S>, unserved: Unserved): Promise<ApiError | undefined> | ApiError | undefined;
  /** Told of every finished call, after the answer is known and before it is sent. */
  finished?(call: FamilyCall<S>, answer: Answer, error: ApiError | undefined): Promise<void> | void;
  readonly bodyLimitBytes: number;
  /** How much JSON may hold, where this is not what `JSON_BOUNDS` says. */
  readonly json?: Partial<JsonBounds>;
  /** JSON is read whatever the content type says: command lines send that of a form unless they are asked for another. */
  readonly anyContentType?: true;
  /** How it says that a body is no JSON, where it has words of its own; `reason` says what is wrong with it. */
  malformedJson?(reason: string): string;
  /** Browsers of any origin may call it (it takes bearer tokens, never cookies). */
  readonly cors: boolean;
  /** The codes of mistakes that the kernel itself finds. */
  readonly codes: Readonly<Record<KernelMistake, string>>;
  /** Its codes for statuses that are ordered by a fault, where they are not simply the name of the status. */
  readonly statusCodes?: Readonly<Record<number, string>>;
}

/** Why a call has no route. */
export interface Unserved {
  /** The methods that are served at the path; none where nothing is. */
  readonly allow: readonly Method[];
  /** The nearest route. */
  readonly suggestion: Addressed | undefined;
  /** Sentences that begin with a blank: the nearest route, and where all are listed. */
  readonly hint: string;
}

/** A check in front of every handler; throws to refuse. A method, so that services can have steps for calls with a context of their own. */
export type FamilyStep<S extends FamilyShape = FamilyShape> = {
  step(call: FamilyCall<S>): Promise<void> | void;
}['step'];

/** A call as its family sees it, whatever its route is. */
export type FamilyCall<S extends FamilyShape, J extends HttpJar = HttpJar> = Call<
  Call['params'],
  Call['query'],
  unknown,
  J,
  S
>;

export type DescribedRoute<S extends FamilyShape = FamilyShape> = Pick<Route<S>, 'method' | 'open' | 'traits'>;

/** A query parameter that is required, with its values. */
export interface CommonParameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** A bearer token; a key that is sent like one and is something else, under a name of its own; or a key in a header of this name. */
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
