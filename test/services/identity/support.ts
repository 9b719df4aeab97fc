import { createHash, randomBytes } from 'node:crypto';
import type { TestJar } from '../../../src/testing/index.ts';

export const TENANT = '10000000-0000-4000-8000-000000000001';
export const OTHER_TENANT = '20000000-0000-4000-8000-000000000001';
export const ADMIN = '10000000-0000-4000-8000-000000000011';
export const APP = '10000000-0000-4000-8000-0000000000a1';
export const PAGE = '10000000-0000-4000-8000-0000000000b1';
export const COMMAND_LINE = '04b07795-8ddb-461a-bbee-02f9e1bf7b46';
export const PAGE_URI = 'http://localhost:3000/';
export const APP_SECRET = 'cloudjar-app-secret';
export const PASSWORD = 'cloudjar';
export const MANAGEMENT = 'https://management.vendor.example';

export interface Visited {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The redirect target, if there is one. */
  readonly location: URL | undefined;
  /** The parameters for the application, from the fragment or the query of the redirect. */
  readonly sent: Record<string, string>;
}

/** A minimal browser for sign-ins: keeps cookies, follows no redirects, submits forms. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  constructor(origin: string) {
    this.#origin = origin;
  }

  async visit(path: string, init: RequestInit = {}): Promise<Visited> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, this.#origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const url = location === null ? undefined : new URL(location);
    const sent = Object.fromEntries(new URLSearchParams(url?.hash ? url.hash.slice(1) : url?.search));
    return { status: response.status, headers: response.headers, text: await response.text(), location: url, sent };
  }

  authorize(parameters: Record<string, string>, path = '/common/oauth2/authorize'): Promise<Visited> {
    return this.visit(`${path}?${new URLSearchParams(parameters)}`);
  }

  /** Submits the first form of a page. */
  submit(page: Visited, fields: Record<string, string>): Promise<Visited> {
    const action = attribute(/<form[^>]* action="([^"]*)"/, page.text);
    const flow = attribute(/name="flow" value="([^"]*)"/, page.text);
    return this.visit(action, { method: 'POST', body: new URLSearchParams({ flow, ...fields }) });
  }

  async signIn(
    parameters: Record<string, string>,
    username = 'admin',
    password = PASSWORD,
    path?: string,
  ): Promise<Visited> {
    return this.submit(await this.authorize(parameters, path), { username, password });
  }
}

function attribute(pattern: RegExp, html: string): string {
  const found = pattern.exec(html)?.[1];
  if (found === undefined) throw new Error(`the page has no ${pattern}: ${html.slice(0, 3000)}`);
  return found
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, string> & { error_codes: number[] };
}

export async function askToken(
  jar: Pick<TestJar, 'url'>,
  form: Record<string, string>,
  path = `/${TENANT}/oauth2/v2.0/token`,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const response = await fetch(jar.url + path, { method: 'POST', body: new URLSearchParams(form), headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as TokenAnswer['body'] };
}

export async function control(jar: Pick<TestJar, 'url' | 'adminKey'>, method: string, path: string, body?: unknown) {
  const response = await fetch(`${jar.url}/_jar/${path}`, {
    method,
    headers: { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

export async function subscriptions(jar: Pick<TestJar, 'url'>, token: string) {
  const response = await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { value?: { displayName: string }[]; error?: { code: string } };
  return {
    status: response.status,
    names: body.value?.map(({ displayName }) => displayName),
    code: body.error?.code,
    headers: response.headers,
  };
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

export function proofKey(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
