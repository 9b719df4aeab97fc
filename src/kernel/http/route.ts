import type { Static, TSchema } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { Jar } from '../jar-context.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The names between braces in a path template: `'/a/{x}/b({y})'` gives `'x' | 'y'`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>;

/** One request on its way through a handler. */
export interface Call<P = Readonly<Record<string, string>>, Q = Readonly<Record<string, unknown>>, B = unknown> {
  readonly jar: Jar;
  readonly route: Route;
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
  /** What the family's steps found out on the way (an ARM scope, a company), typed by the family. */
  readonly facts: Record<string, unknown>;
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

export interface RouteOptions<Path extends string, Q extends TSchema, B extends TSchema> {
  readonly method: Method;
  /** `{name}` takes one segment, `name({key})` an OData key, a leading `/{scope}` any number of segments before `/providers/`, a trailing `{rest*}` everything. */
  readonly path: Path;
  /** `ResourceGroups_CreateOrUpdate`: names the operation in metrics, logs and OpenAPI. */
  readonly operation: string;
  readonly summary: string;
  readonly query?: Q;
  readonly body?: B;
  /** A body is required where a schema is given, unless this is true. */
  readonly bodyOptional?: boolean;
  /** How the body is read: JSON unless said otherwise; `form` gives an object of strings, `bytes` a Buffer, `stream` a Readable of any length. */
  readonly accepts?: 'json' | 'form' | 'bytes' | 'stream';
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  /** No authentication. */
  readonly open?: boolean;
  /** What only the family understands (api-versions, permissions); see the family. */
  readonly traits?: Readonly<Record<string, unknown>>;
  handle(call: Call<Params<Path>, QueryOf<Q>, BodyOf<B>>): Promise<Answer> | Answer;
}

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  readonly accepts?: 'json' | 'form' | 'bytes' | 'stream';
  readonly responses?: Readonly<Record<number, TSchema | string>>;
  readonly open?: boolean;
  readonly traits?: Readonly<Record<string, unknown>>;
  handle(call: Call): Promise<Answer> | Answer;
}

/** Declares a route; the path template types `call.params`, the schemas type `call.query` and `call.body`. */
export function route<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
  options: RouteOptions<Path, Q, B>,
): Route {
  return options as unknown as Route;
}

export const ok = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 200, body, headers });
export const created = (body: unknown, headers?: Answer['headers']): Answer => ({ status: 201, body, headers });
export const accepted = (headers?: Answer['headers'], body?: unknown): Answer => ({ status: 202, headers, body });
export const noContent = (headers?: Answer['headers']): Answer => ({ status: 204, headers });
