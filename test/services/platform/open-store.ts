import { openJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import type { Reply } from '../../support/jars.ts';

export type Answer = Pick<Reply, 'status' | 'text' | 'body'>;

/** A jar whose store a test can look into, on a clock that stands still. */
export async function openWithStore(flags: Readonly<Record<string, unknown>> = {}) {
  const own = { port: 0, httpsPort: 0, smtpPort: 0, clock: 'virtual', engine: 'simulated', memory: true, ...flags };
  const running = await openJar({ config: loadConfig({ flags: own, env: {}, cwd: '/' }), inProcess: true });
  const ask = async (
    method: string,
    path: string,
    body?: object,
    token = bearer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const reply = await fetch(running.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return { status: reply.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  let bearer = running.adminKey;
  bearer = String((await ask('POST', '/_jar/tokens', { user: 'admin', ttl: '3650d' })).body.access_token);
  return {
    running,
    ask,
    control: (method: string, path: string, body?: object) => ask(method, `/_jar/${path}`, body, running.adminKey),
    /** Everything that the store has, each document as a text. */
    async captured(): Promise<readonly string[]> {
      const parts: string[] = [];
      await running.jar.store.capture([], async (found) => {
        for await (const part of found) parts.push(JSON.stringify(part));
      });
      return parts;
    },
  };
}
