import type { TestJar } from '../../src/testing/index.ts';

export interface Sent {
  readonly body?: unknown;
  /** Default: the administrator's token; null sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

export type Ask = (method: string, path: string, sent?: Sent) => Promise<Reply>;

/** Sends requests to a jar; a body that is not a JSON object is sent as a form. */
export function askOf(jar: TestJar): Ask {
  let admin: Promise<string> | undefined;
  return async (method, path, { body, token, headers = {} } = {}) => {
    admin ??= jar.token({ ttl: '365d' });
    const used = path.startsWith('/_jar/') ? jar.adminKey : token === undefined ? await admin : token;
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(jar.url + path, {
      method,
      headers: {
        ...(used !== null && { authorization: `Bearer ${used}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };
}

/** The body of a successful answer; throws for a refusal. */
export async function good(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
