export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
}

export interface ApiErrorOptions {
  readonly target?: string;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown by handlers. It says what went wrong; the API family renders it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly target: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Headers of the response; outer layers may add to them. */
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.target = options.target;
    this.details = options.details ?? [];
    this.headers = { ...options.headers };
  }
}

/** A dependency of a call does not respond: 503 in the format of the call's family. The message is for clients. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/**
 * Thrown by a step of an API whose routes accept any path, before authentication, if nothing is served at the path. The response is the
 * same as for a path without a route.
 */
export class NothingServed extends Error {
  override readonly name = 'NothingServed';
}

/** The remedy is for the error reference, where the message leaves open what to do. */
export type ErrorRow = readonly [status: number, template: string, remedy?: string];

/** Under this key a table keeps its rows, for the error reference. */
const ROWS = Symbol('rows of an error table');

export const errorRowsOf = (table: object): Readonly<Record<string, ErrorRow>> | undefined =>
  (table as { readonly [ROWS]?: Readonly<Record<string, ErrorRow>> })[ROWS];

/** Placeholders in a message template: `"group '{name}'"` gives `'name'`. */
type Slots<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

type Thrower<Template extends string> = [Slots<Template>] extends [never]
  ? (values?: Record<string, never>, options?: ApiErrorOptions) => ApiError
  : (values: Readonly<Record<Slots<Template>, string | number>>, options?: ApiErrorOptions) => ApiError;

/**
 * One table per area, code to status and message, so that all errors of an API are in one place: `const errors = errorTable({
 * GroupNotFound: [404, "Group '{name}' was not found."] }); throw errors.GroupNotFound({ name })`. If a code has several messages, rows are
 * named by the code, `__` and a distinguishing word: `BadRequest__TooLong`.
 */
export function errorTable<const T extends Readonly<Record<string, ErrorRow>>>(
  table: T,
): { readonly [Code in keyof T]: Thrower<T[Code][1]> } {
  const throwers: Record<string, (values?: Record<string, string | number>, options?: ApiErrorOptions) => ApiError> =
    {};
  for (const [name, [status, template]] of Object.entries(table)) {
    const code = name.split('__', 1)[0] as string;
    throwers[name] = (values = {}, options) =>
      new ApiError(
        status,
        code,
        template.replace(/\{(\w+)\}/g, (_, slot: string) => String(values[slot])),
        options,
      );
  }
  Object.defineProperty(throwers, ROWS, { value: table });
  return throwers as { readonly [Code in keyof T]: Thrower<T[Code][1]> };
}
