export interface JarErrorOptions {
  readonly code: string;
  readonly status?: number;
  readonly target?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('cloudjar.JarError');

/** An error answer of a jar, or the failure to reach it. */
export class JarError extends Error {
  override readonly name = 'JarError';
  readonly code: string;
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  readonly target: string | undefined;

  constructor(message: string, { code, status, target, cause }: JarErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.target = target;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** The ES module and the CommonJS entry of the package each have their own class; `instanceof` accepts errors of both. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
