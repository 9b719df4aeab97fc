import { asking, problemOf } from './api-errors.ts';
import type { Connection } from './connection.ts';

/** Sends a GET and streams the response, for responses that the typed client would buffer whole or convert too far. */
export function getRaw<T>(
  { library, config, server, requests }: Connection,
  what: string,
  { path, query, timeoutMs }: { path: string; query: Readonly<Record<string, string>>; timeoutMs: number },
  read: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  return asking(what, async () => {
    const url = new URL(server + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const context = new library.RequestContext(url.toString(), library.HttpMethod.GET);
    await config.applySecurityAuthentication(context);
    const { httpStatusCode, body } = await requests.send(context, timeoutMs);
    if (httpStatusCode !== 200) throw problemOf(httpStatusCode, await body.text(), what);
    return read((body.stream() ?? []) as AsyncIterable<Uint8Array>);
  });
}
