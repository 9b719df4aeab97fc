/** An error answer of a jar, or the failure to reach it. */
export class JarError extends Error {
  constructor(
    message: string,
    options: { readonly code: string; readonly status?: number; readonly target?: string; readonly cause?: unknown },
  );
  readonly name: 'JarError';
  /** The error code, such as `UnknownUser`; `JarUnreachable` if nothing answers, `NotAJar` if the answer is not from a jar. */
  readonly code: string;
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** The invalid parameter or property, if the jar names one. */
  readonly target: string | undefined;
}
