import { expect } from 'vitest';
import type { Bench } from '../../../support/jars.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
type Body = any;

/** Client of the control API for mail. */
export const mailControl = ({ jar }: Bench) => {
  const ask = async (method: string, path: string, body?: object | Buffer | string, type = 'application/json') => {
    const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(`${jar.url}/_jar/mail/${path}`, {
      method,
      headers: { authorization: `Bearer ${jar.adminKey}`, ...(sent !== undefined && { 'content-type': type }) },
      body: (sent as RequestInit['body']) ?? null,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      body: (isJson ? JSON.parse(bytes.toString()) : undefined) as Body,
    };
  };
  const good = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  return {
    ask,
    get: (path: string) => good('GET', path),
    /** Returns the id of the message in the mailbox of its first recipient. */
    send: async (mail: object): Promise<string> => (await good('POST', 'send', mail)).recipients[0].id,
    sendMime: (mime: string | Buffer, query = '') => ask('POST', `send${query}`, mime, 'message/rfc822'),
    empty: (user: string) => good('DELETE', `mailboxes/${user}/messages`),
  };
};
