export interface JarErrorOptions {
  readonly code: string;
  readonly status?: number;
  readonly target?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('cloudjar.JarError');

/** What a jar has refused, or why it could not be asked. */
export class JarError extends Error {
  override readonly name = 'JarError';
  readonly code: string;
  /** Undefined where there was no answer. */
  readonly status: number | undefined;
  readonly target: string | undefined;

  constructor(message: string, { code, status, target, cause }: JarErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.target = target;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** The two entries of the package, as ES modules and as CommonJS, each have a class of their own: an error of one is an error of all. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
