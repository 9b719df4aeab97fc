import type { Backend } from './backend.ts';
import { controlOf } from './control.ts';
import { JarError } from './error.ts';
import { after, httpBackend } from './http-backend.ts';
import { jarOver } from './jar.ts';
import { type Answer, builtin } from './send.ts';
import type { ConnectedJar, ConnectOptions } from './types/connect.d.ts';

export { JarError } from './error.ts';

/** The default address of `cloudjar start`. */
const STANDARD_URL = 'http://127.0.0.1:7400';
const READY_MS = 30_000;
const READY_POLL_MS = 50;
const OPTIONS: readonly string[] = ['url', 'adminKey', 'ca'];

/**
 * A client of the control API of a jar that runs elsewhere. Sends nothing until a method is called, and reads neither environment nor
 * files.
 *
 * ```ts
 * const jar = connectJar({ url: 'http://127.0.0.1:7400', adminKey });
 * await jar.clock.advance('3d');
 * ```
 */
export function connectJar(options: ConnectOptions = {}): ConnectedJar {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    const message = `connectJar has no option '${unknown}'; it has ${OPTIONS.join(', ')}`;
    throw new JarError(message, { code: 'UnknownOption', target: unknown });
  }
  const { adminKey, ca } = options;
  const backend = httpBackend({ url: originOf(options.url ?? STANDARD_URL), adminKey, ca });
  return {
    ...jarOver(backend),
    ca: async () => (await controlOf(backend.send).bytes('/_jar/ca.pem')).toString('utf8'),
    ready: ({ timeoutMs = READY_MS } = {}) => ready(backend, timeoutMs),
  };
}

connectJar.fromEnv = (env: Readonly<Record<string, string | undefined>> = process.env): ConnectedJar => {
  // Shells and compose files pass an empty variable instead of none.
  const { CLOUDJAR_URL: url, CLOUDJAR_ADMIN_KEY: adminKey, CLOUDJAR_CA: file } = env;
  return connectJar({
    ...(url && { url }),
    ...(adminKey && { adminKey }),
    ...(file && { ca: builtin('node:fs').readFileSync(file) }),
  });
};

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed.origin;
  const message = `the url of a jar must begin with http:// or https://, but it is '${url}'`;
  throw new JarError(message, { code: 'BadUrl', target: 'url' });
}

/** A starting jar refuses connections at first; a jar without its database answers 503. */
async function ready({ url, send }: Pick<Backend, 'url' | 'send'>, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const problem = await send('GET', '/_jar/health').then(problemOf, (error: Error) => error.message);
    if (problem === undefined) return;
    if (performance.now() >= giveUpAt) {
      const message = `the jar at ${url} is not ready after ${timeoutMs} ms: ${problem}`;
      throw new JarError(message, { code: 'WaitTimedOut' });
    }
    await new Promise<void>((resolve) => void after(READY_POLL_MS, resolve));
  }
}

function problemOf({ status, bytes }: Answer): string | undefined {
  return status === 200 ? undefined : `/_jar/health answers ${status} ${bytes.toString('utf8').slice(0, 500)}`;
}
