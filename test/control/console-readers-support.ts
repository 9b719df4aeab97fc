interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses?: Readonly<Record<string, object>>;
}

export type Document = {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** A session and a token of a person who may only look. */
export async function readerOf(jar: { readonly url: string; readonly adminKey: string }) {
  const ask = (path: string, init: RequestInit = {}) => fetch(`${jar.url}${path}`, init);
  const entered = await ask('/_jar/console/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: await readerCode(jar) }),
  });
  const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const issued = await ask('/_jar/tokens', { method: 'POST', headers: { cookie } });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const document = (await (await ask('/_jar/openapi.json')).json()) as Document;
  return { ask, cookie, token, document };
}

async function readerCode(jar: { readonly url: string; readonly adminKey: string }): Promise<string> {
  const answer = await fetch(`${jar.url}/_jar/console/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'reader' }),
  });
  const { url } = (await answer.json()) as { url: string };
  return new URL(url).hash.replace('#enter=', '');
}
