/** What the control API has refused. */
export class RefusedByControl extends Error {
  override readonly name = 'RefusedByControl';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The control API of a jar, for the helpers of tests. Paths begin with `/_jar`. */
export interface Control {
  ask<T>(method: string, path: string, body?: object): Promise<T>;
  /** Sends bytes of another type than JSON. */
  post<T>(path: string, body: Buffer, contentType: string): Promise<T>;
  /** A list, through all of its pages. */
  list<T>(path: string): Promise<T[]>;
  bytes(path: string): Promise<Buffer>;
}

interface ListPage<T> {
  readonly value: readonly T[];
  readonly nextLink?: string;
}

export function controlOf({ url, adminKey }: { readonly url: string; readonly adminKey: string }): Control {
  const send = async (method: string, path: string, body?: string | Buffer<ArrayBuffer>, contentType?: string) => {
    const headers = {
      authorization: `Bearer ${adminKey}`,
      ...(contentType !== undefined && { 'content-type': contentType }),
    };
    const response = await fetch(url + path, { method, headers, body: body ?? null });
    if (!response.ok) throw await refusalOf(response, path);
    return response;
  };
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return (await readAnswer(await send(method, path, sent, 'application/json'))) as T;
  };
  return {
    ask,
    post: async <T>(path: string, body: Buffer, contentType: string) =>
      (await readAnswer(await send('POST', path, Buffer.from(body), contentType))) as T,
    async list<T>(path: string) {
      const all: T[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: ListPage<T> = await ask('GET', next);
        all.push(...page.value);
        next = page.nextLink && new URL(page.nextLink).pathname + new URL(page.nextLink).search;
      }
      return all;
    },
    bytes: async (path) => Buffer.from(await (await send('GET', path)).arrayBuffer()),
  };
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function refusalOf(response: Response, path: string): Promise<Error> {
  const text = await response.text();
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { readonly error?: { readonly message: string } };
  return new RefusedByControl(response.status, error?.message ?? `${path} answers ${response.status}`);
}
