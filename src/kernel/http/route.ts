import type { Static, TSchema } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { HttpJar } from './jar.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The parameter names in a path template: `'/a/{x}/b({y})'` gives `'x' | 'y'`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Tail}*` ? Tail : Name) | ParamNames<Rest>
  : never;

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>;

/** What a family adds: `facts` that its steps find out about a call, and `traits` that it must know about a route. */
export interface FamilyShape {
  readonly facts: object;
  readonly traits: object;
}

/** One request as its handler sees it. `J` is the jar as the service's code sees it. */
export interface Call<
  P = Readonly<Record<string, string>>,
  Q = Readonly<Record<string, unknown>>,
  B = unknown,
  J extends HttpJar = HttpJar,
  S extends FamilyShape = FamilyShape,
> {
  readonly jar: J;
  readonly route: Route<S>;
  /** Name in metrics and logs: that of the route, unless a handler for many operations sets the actual one. */
  operation: string;
  readonly method: Method;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The origin that the client used, for absolute URLs in responses: `https://localhost:7443`. */
  readonly origin: string;
  /** Whether the request came over HTTPS. */
  readonly secure: boolean;
  /** Path and query as sent. */
  readonly url: string;
  /** The path without the query, and without repeated or trailing slashes. */
  readonly path: string;
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly correlationId: string;
  /** Time of the jar's clock. */
  readonly receivedAt: number;
  /** The caller; set by the family's authentication, undefined on open routes. */
  caller: Caller | undefined;
  /** Headers of the response, whatever its status. Names in lower case. */
  readonly responseHeaders: Record<string, string>;
  /** Facts that the family's steps found out, for example a scope or an account. */
  readonly facts: S['facts'];
  /** Additional fields for this call's log line. */
  logged: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a string or bytes unchanged (set a content type), a stream is piped; undefined means no body. */
  readonly body?: unknown;
}

/** Without a schema, the query is passed as sent and the body is unknown. */
export type QueryOf<Q extends TSchema> = TSchema extends Q ? Readonly<Record<string, unknown>> : Static<Q>;
export type BodyOf<B extends TSchema> = TSchema extends B ? unknown : Static<B>;

export interface RouteCode<
  P = Readonly<Record<string, string>>,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  J extends HttpJar = HttpJar,
  S extends FamilyShape = FamilyShape,
> {
  readonly query?: Q;
  readonly body?: B;
  /** If a schema is given, a body is required unless this is true. */
  readonly bodyOptional?: boolean;
  /** For the OpenAPI document: schema of the JSON in a body that is taken as bytes because its handler parses and validates it. */
  readonly jsonInBytes?: TSchema;
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  /** Throws to reject a caller by a check of this route: a key of the addressed resource, or a signed URL. Runs before the body is read. */
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
  /** If a schema is given, a body is required unless this is true. */
  readonly bodyOptional?: boolean;
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  admit?(call: Call<Params<Path>, QueryOf<Q>, unknown, J, S>): Promise<void> | void;
  handle(call: Call<Params<Path>, QueryOf<Q>, BodyOf<B>, J, S>): Promise<Answer> | Answer;
}

/** Declaration of a route for the router and for the steps before a handler. */
export interface RouteHead<Path extends string = string, S extends FamilyShape = FamilyShape> {
  readonly method: Method;
  /**
   * `{name}` matches one segment, `name({key})` an OData key, a leading `/{scope}` any number of segments before `/providers/`, a trailing
   * `{rest*}` everything.
   */
  readonly path: Path;
  /** Name of the operation in metrics, logs and OpenAPI: `ResourceGroups_CreateOrUpdate`. */
  readonly operation: string;
  /** Name in metrics, if several routes are one operation at different paths. */
  readonly measuredAs?: string;
  readonly summary: string;
  /** How the body is parsed; JSON by default. `form` gives an object of strings, `bytes` a Buffer, `stream` a Readable of any length. */
  readonly accepts?: 'json' | 'form' | 'bytes' | 'stream';
  /** Maximum size of the body, if lower than the family's. */
  readonly bodyLimitBytes?: number;
  /** For the OpenAPI document: content type of responses that are not JSON. */
  readonly produces?: string;
  /** For the OpenAPI document: the data of each kind of server-sent event that the response consists of. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** No authentication. */
  readonly open?: boolean;
  /** For routes that programs and pages poll: no log line at the default level, and no entry in the list of recent requests. */
  readonly quiet?: boolean;
  /**
   * Its bodies contain secrets that no name reveals: the details of recent requests withhold them, and neither readers of the console nor
   * their tokens get them.
   */
  readonly secretBodies?: boolean;
  /** For a POST that changes nothing, such as a query: people who may only read may call it. */
  readonly safe?: boolean;
  /** Facts for the family only: api-versions, permissions. */
  readonly traits?: Readonly<S['traits']>;
  /** For a route that serves many operations with `{rest*}`: the operations it knows, for suggestions and for the list of the API. */
  covers?(): readonly CoveredOperation[];
}

export interface CoveredOperation {
  readonly method: Method;
  /** The whole path as a template. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  /** Another spelling of a listed operation: used for suggestions, but not listed. */
  readonly isAlias?: boolean;
}

export interface Route<S extends FamilyShape = FamilyShape> extends RouteHead<string, S> {
  /** Whether the path is that of a WebSocket. */
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

/** Combines a route's declaration and code: for tables of operations, in which several paths share code. */
export const routeOf = (head: RouteHead, code: AnyRouteCode): Route => ({ ...head, ...code });

/** Functions that declare routes whose handlers see the jar as `J` and whose family has the shape `S`. */
export interface RouteMakers<J extends HttpJar, S extends FamilyShape> {
  /** Declares a route; the path template types `call.params`, the schemas type `call.query` and `call.body`. */
  route<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    options: RouteOptions<Path, Q, B, J, S>,
  ): Route;
  /** Types the code of a route: `params` lists the path parameters that it uses. */
  routeCode<const P extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    params: readonly P[],
    code: RouteCode<Readonly<Record<P, string>>, Q, B, J, S>,
  ): RouteCode<Readonly<Record<P, string>>, Q, B, J, S>;
}

export const routesFor = <J extends HttpJar, S extends FamilyShape = FamilyShape>(): RouteMakers<J, S> => ({
  route: (options: Route): Route => options,
  routeCode: (_params, code) => code,
});

/** For routes whose handlers need only the serving part of the jar. */
export const { route, routeCode } = routesFor<HttpJar>();

export const ok = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 200, body, headers });
export const created = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 201, body, headers });
export const accepted = (headers?: Answer['headers'], body?: unknown): Answer => ({ status: 202, headers, body });
export const noContent = (headers?: Answer['headers']): Answer => ({ status: 204, headers });
