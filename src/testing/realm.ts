import { JarError } from '../client/error.ts';

interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly target?: unknown;
}

/** Calls the server, and rethrows its errors as errors of this realm. */
export async function inThisRealm<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw errorOfThisRealm(error);
  }
}

/** An API error becomes the same error as over HTTP; any other error of this realm is returned unchanged. */
export function errorOfThisRealm(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { name, message, status, code, target } = error as Thrown;
  const isRefusal = typeof status === 'number' && typeof code === 'string';
  if (!isRefusal && (error instanceof Error || typeof message !== 'string')) return error;
  return new JarError(String(message), {
    code: String(code ?? name),
    cause: error,
    ...(isRefusal && { status }),
    ...(typeof target === 'string' && { target }),
  });
}
