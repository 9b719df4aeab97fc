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

/** What a handler throws. It says what went wrong; the API family decides how that looks on the wire. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly target: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Of the answer; a layer above may add to them on the way out. */
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

/** Something that a call needs does not answer: 503 in the words of the call's family. The message is for clients. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/**
 * Thrown by a step of an API whose routes take any path, before it is known who asks: nothing is served at the path after all. It is answered as a path
 * without a route is.
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

/** The names in a message template: `"group '{name}'"` gives `'name'`. */
type Slots<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

type Thrower<Template extends string> = [Slots<Template>] extends [never]
  ? (values?: Record<string, never>, options?: ApiErrorOptions) => ApiError
  : (values: Readonly<Record<Slots<Template>, string | number>>, options?: ApiErrorOptions) => ApiError;

/**
 * One table per area, code to status and message, so that every error an API can answer is found in one place:
 * `const errors = errorTable({ GroupNotFound: [404, "Group '{name}' was not found."] }); throw errors.GroupNotFound({ name })`.
 * Where one code has several messages, a row is named by the code, `__` and a word of its own: `BadRequest__TooLong`.
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
