import { afterAll } from 'vitest';
import { type Receiver, startReceiver } from '../../../kernel/delivery/receivers.ts';
import type { Bench, CallOptions, Reply } from '../../../support/jars.ts';

/** Subscriptions of the first company of a tenant, through one API. */
export interface Webhooks {
  readonly companyId: string;
  /** `/api/v2.0/companies(…)/customers` */
  resource(set: string): string;
  /** An inbox of the jar that agrees to every handshake. */
  inbox(name: string): string;
  subscribe(body: object, options?: CallOptions): Promise<Reply>;
  /** Subscribes an inbox to a set; fails with the answer otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: the subscription as it was answered
  make(set: string, inbox: string, more?: object): Promise<any>;
  read(id: string, options?: CallOptions): Promise<Reply>;
  /** With `If-Match: *` by default. */
  renew(id: string, body?: object, options?: CallOptions): Promise<Reply>;
  remove(id: string, options?: CallOptions): Promise<Reply>;
  list(query?: string, options?: CallOptions): Promise<Reply>;
}

export async function openWebhooks(bench: Bench, route = 'v2.0', token?: string): Promise<Webhooks> {
  const own: CallOptions = token === undefined ? {} : { token };
  const companies = await bench.call('GET', '/api/v2.0/companies', own);
  if (companies.status !== 200) throw new Error(companies.text);
  const companyId: string = companies.body.value[0].id;
  const set = `/api/${route}/subscriptions`;
  const resource = (name: string): string => `/api/${route}/companies(${companyId})/${name}`;
  const inbox = (name: string): string => `${bench.jar.httpsUrl}/_jar/inbox/${name}`;
  const subscribe = (body: object, options: CallOptions = {}): Promise<Reply> =>
    bench.call('POST', set, { ...own, body, ...options });
  return {
    companyId,
    resource,
    inbox,
    subscribe,
    async make(name, box, more = {}) {
      const reply = await subscribe({ notificationUrl: inbox(box), resource: resource(name), ...more });
      if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
      return reply.body;
    },
    read: (id, options) => bench.call('GET', `${set}('${id}')`, { ...own, ...options }),
    renew: (id, body = {}, { headers = {}, ...options } = {}) =>
      bench.call('PATCH', `${set}('${id}')`, { ...own, body, headers: { 'if-match': '*', ...headers }, ...options }),
    remove: (id, options) => bench.call('DELETE', `${set}('${id}')`, { ...own, ...options }),
    list: (query = '', options = {}) => bench.call('GET', `${set}${query}`, { ...own, ...options }),
  };
}

/** Calls the control API as administrator. */
export function control(bench: Bench, method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
  return bench.call(method, `/_jar/${path}`, { token: null, headers, ...(body !== undefined && { body }) });
}

export const tokenOf = (path: string): string => new URL(path, 'http://any').searchParams.get('validationToken') ?? '';

/** Echoes the token. */
export const agreeing: Receiver['answer'] = ({ path }, response) => response.end(tokenOf(path));

/** Real servers, closed after the tests. */
export function receiversOf(): (answer: Receiver['answer']) => Promise<Receiver> {
  const receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((each) => each.close())));
  return async (answer) => {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  };
}

/** The receivers of the tests have no certificates. */
export const PLAIN_HTTP = { allowHttpLoopback: true } as object;
