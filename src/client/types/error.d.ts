/** What a jar has refused, or why it could not be asked. */
export class JarError extends Error {
  constructor(
    message: string,
    options: { readonly code: string; readonly status?: number; readonly target?: string; readonly cause?: unknown },
  );
  readonly name: 'JarError';
  /** The code of the refusal, such as `UnknownUser`; `JarUnreachable` where nothing answers, `NotAJar` where something else does. */
  readonly code: string;
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** The parameter or member that is wrong, if the jar names one. */
  readonly target: string | undefined;
}
