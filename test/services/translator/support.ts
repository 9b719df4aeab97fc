import type { Bench, Reply } from '../../support/jars.ts';

export const VERSION = 'api-version=3.0';

export interface TranslatorCall {
  readonly method?: string;
  /** Replaces the version. */
  readonly query?: string;
  /** Default: the seeded key; null sends none. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** A text is sent unchanged. */
  readonly body?: unknown;
}

/** Calls the translator of a jar. */
export async function ask(bench: Bench, path: string, options: TranslatorCall = {}): Promise<Reply> {
  const { method = 'POST', query = VERSION, headers = {}, body } = options;
  const key = options.key === undefined ? (await bench.jar.keys()).translator : options.key;
  return bench.call(method, `${path}?${query}`, {
    token: null,
    body,
    headers: { ...(key !== null && { 'Ocp-Apim-Subscription-Key': key }), ...headers },
  });
}

export const detect = (bench: Bench, texts: readonly string[], options: Omit<TranslatorCall, 'body'> = {}) =>
  ask(bench, '/detect', { ...options, body: texts.map((text) => ({ Text: text })) });

/** Creates a key; returns its secret. */
export async function putKey(bench: Bench, name: string, said: object = {}): Promise<string> {
  const reply = await bench.call('PUT', `/_jar/translator/keys/${name}`, { token: bench.jar.adminKey, body: said });
  return reply.body.key;
}

export const setLimit = (bench: Bench, change: object) =>
  bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: change });

export const GERMAN = 'Der Hund ist müde und die Katze schläft nicht.';
export const RUSSIAN = 'Сегодня утром мы пошли на рынок и купили свежий хлеб.';
export const ENGLISH = 'The weather was lovely yesterday, so we walked along the river for hours.';
