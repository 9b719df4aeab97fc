import type { Bench, CallOptions, Reply } from '../../support/jars.ts';

/** The books of the first company of a tenant, through one version of the API. */
export interface Books {
  readonly id: string;
  /** `/api/v2.0/companies(…)` */
  readonly path: string;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  /** With `If-Match: *` by default. */
  patch(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, options?: CallOptions): Promise<Reply>;
  /** Creates a record; fails with the answer otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  make(set: string, body: unknown): Promise<any>;
}

export async function openBooks(bench: Bench, version = 'v2.0', token?: string): Promise<Books> {
  const own: CallOptions = token === undefined ? {} : { token };
  const companies = await bench.call('GET', `/api/${version}/companies`, own);
  const { id } = companies.body.value[0];
  const path = `/api/${version}/companies(${id})`;
  const at = (rest: string): string => (rest.startsWith('/') || rest.startsWith('http') ? rest : `${path}/${rest}`);
  return {
    id,
    path,
    get: (rest, options) => bench.call('GET', at(rest), { ...own, ...options }),
    post: (rest, body, options) => bench.call('POST', at(rest), { ...own, body, ...options }),
    patch: (rest, body, { headers = {}, ...options } = {}) =>
      bench.call('PATCH', at(rest), { ...own, body, headers: { 'if-match': '*', ...headers }, ...options }),
    delete: (rest, options) => bench.call('DELETE', at(rest), { ...own, ...options }),
    async make(set, body) {
      const reply = await bench.call('POST', at(set), { ...own, body });
      if (reply.status !== 201) throw new Error(`${set}: ${reply.status} ${reply.text}`);
      return reply.body;
    },
  };
}

/** The code of an error, and its message without the correlation id. */
export function errorOf(reply: Reply): { status: number; code: string; message: string } {
  const { code, message } = reply.body.error;
  return { status: reply.status, code, message: message.replace(/ {2}CorrelationId: {2}[\w-]+\.$/, '') };
}
