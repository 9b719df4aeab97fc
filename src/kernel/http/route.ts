import type { Static, TSchema } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { HttpJar } from './jar.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The names between braces in a path template: `'/a/{x}/b({y})'` gives `'x' | 'y'`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Tail}*` ? Tail : Name) | ParamNames<Rest>
  : never;

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>;

/** What a family adds: to a call what its steps find out about it, to a route what the family has to know of it. */
export interface FamilyShape {
  readonly facts: object;
  readonly traits: object;
}

/** One request on its way through a handler. `J` is the jar as the code of the service sees it. */
export interface Call<
  P = Readonly<Record<string, string>>,
  Q = Readonly<Record<string, unknown>>,
  B = unknown,
  J extends HttpJar = HttpJar,
  S extends FamilyShape = FamilyShape,
> {
  readonly jar: J;
  readonly route: Route<S>;
  /** In metrics and logs: that of the route, unless a handler that stands for many puts in the one that was asked for. */
  operation: string;
  readonly method: Method;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `https://localhost:7443`: how the client reached us, for the absolute addresses in answers. */
  readonly origin: string;
  /** Whether it came over HTTPS. */
  readonly secure: boolean;
  /** Path and query as sent. */
  readonly url: string;
  /** The path without the query, and without doubled or final slashes. */
  readonly path: string;
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly correlationId: string;
  /** By the jar's clock. */
  readonly receivedAt: number;
  /** Who asks; set by the family's authentication, absent on open routes. */
  caller: Caller | undefined;
  /** Headers for the answer, whatever its status. Names in lower case. */
  readonly responseHeaders: Record<string, string>;
  /** What the steps of the family found out on the way: an ARM scope, an account. */
  readonly facts: S['facts'];
  /** More for the line of this call in the log. */
  logged: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a string or bytes as they are (set a content type), a stream is piped, absent is no body. */
  readonly body?: unknown;
}

/** A route without a schema gets the query as sent, and a body of unknown shape. */
export type QueryOf<Q extends TSchema> = TSchema extends Q ? Readonly<Record<string, unknown>> : Static<Q>;
export type BodyOf<B extends TSchema> = TSchema extends B ? unknown : Static<B>;

/** The schemas and the handler of a route. */
export interface RouteCode<
  P = Readonly<Record<string, string>>,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  J extends HttpJar = HttpJar,
  S extends FamilyShape = FamilyShape,
> {
  readonly query?: Q;
  readonly body?: B;
  /** A body is required where a schema is given, unless this is true. */
  readonly bodyOptional?: boolean;
  /** For readers of the OpenAPI document: the JSON in a body that is taken as bytes, since its handler reads and checks it by itself. */
  readonly jsonInBytes?: TSchema;
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  /** Throws to refuse a caller that only this route can tell: by a key of what is addressed, or a signed address. Runs before the body is read. */
  admit?(call: Call<P, QueryOf<Q>, unknown, J, S>): Promise<void> | void;
  handle(call: Call<P, QueryOf<Q>, BodyOf<B>, J, S>): Promise<Answer> | Answer;
}

export interface RouteOptions<
  Path extends string,
  Q extends TSchema,
  B extends TSchema,
  J extends HttpJar = HttpJar,
  S extends FamilyShape = FamilyShape,
> extends RouteHead<Path, S> {
  readonly query?: Q;
  readonly body?: B;
  /** A body is required where a schema is given, unless this is true. */
  readonly bodyOptional?: boolean;
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  admit?(call: Call<Params<Path>, QueryOf<Q>, unknown, J, S>): Promise<void> | void;
  handle(call: Call<Params<Path>, QueryOf<Q>, BodyOf<B>, J, S>): Promise<Answer> | Answer;
}

/** What the router and the steps in front of a handler have to know of a route. */
export interface RouteHead<Path extends string = string, S extends FamilyShape = FamilyShape> {
  readonly method: Method;
  /** `{name}` takes one segment, `name({key})` an OData key, a leading `/{scope}` any number of segments before `/providers/`, a trailing `{rest*}` everything. */
  readonly path: Path;
  /** `ResourceGroups_CreateOrUpdate`: names the operation in metrics, logs and OpenAPI. */
  readonly operation: string;
  /** The name in metrics, where several routes are one operation at several addresses. */
  readonly measuredAs?: string;
  readonly summary: string;
  /** How the body is read: JSON unless said otherwise; `form` gives an object of strings, `bytes` a Buffer, `stream` a Readable of any length. */
  readonly accepts?: 'json' | 'form' | 'bytes' | 'stream';
  /** The most bytes that a body may have, where this is less than the family takes. */
  readonly bodyLimitBytes?: number;
  /** For the OpenAPI document: the content type of answers that are not JSON. */
  readonly produces?: string;
  /** No authentication. */
  readonly open?: boolean;
  /** Asked for again and again by programs and pages: answered without a line in the log at its default level, and not kept among the recent requests. */
  readonly quiet?: boolean;
  /** What only the family understands: api-versions, permissions. */
  readonly traits?: Readonly<S['traits']>;
  /** Of a route that stands for many operations by a `{rest*}`: those that it knows, for suggestions and for the list of the API. */
  covers?(): readonly CoveredOperation[];
}

export interface CoveredOperation {
  readonly method: Method;
  /** The whole path as a template. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  /** Another way to write an operation that is listed already: it is suggested, and not listed. */
  readonly isAlias?: boolean;
}

export interface Route<S extends FamilyShape = FamilyShape> extends RouteHead<string, S> {
  /** The address is that of a WebSocket. */
  readonly isSocket?: boolean;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  readonly jsonInBytes?: TSchema;
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  admit?(call: Call): Promise<void> | void;
  handle(call: Call): Promise<Answer> | Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what the code of any route has in common
export type AnyRouteCode = RouteCode<any, any, any, any, any>;

/** A route out of its head and its code: for tables of operations, in which one code may stand at several addresses. */
export const routeOf = (head: RouteHead, code: AnyRouteCode): Route => ({ ...head, ...code });

/** The ways to declare routes whose handlers see the jar as `J` and whose family has the shape `S`. */
export interface RouteMakers<J extends HttpJar, S extends FamilyShape> {
  /** Declares a route; the path template types `call.params`, the schemas type `call.query` and `call.body`. */
  route<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    options: RouteOptions<Path, Q, B, J, S>,
  ): Route;
  /** Types the code of a route: `params` names those of its path that it uses. */
  routeCode<const P extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    params: readonly P[],
    code: RouteCode<Readonly<Record<P, string>>, Q, B, J, S>,
  ): RouteCode<Readonly<Record<P, string>>, Q, B, J, S>;
}

export const routesFor = <J extends HttpJar, S extends FamilyShape = FamilyShape>(): RouteMakers<J, S> => ({
  route: (options: Route): Route => options,
  routeCode: (_params, code) => code,
});

/** Routes whose handlers need nothing of the jar but what serving needs. */
export const { route, routeCode } = routesFor<HttpJar>();

export const ok = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 200, body, headers });
export const created = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 201, body, headers });
export const accepted = (headers?: Answer['headers'], body?: unknown): Answer => ({ status: 202, headers, body });
export const noContent = (headers?: Answer['headers']): Answer => ({ status: 204, headers });
