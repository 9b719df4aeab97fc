import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import undici from 'undici';
import { mixOf, readHeldOut } from '../detect/texts.ts';
import { type JarProcess, startJarProcess } from './contenders.ts';

const HELD_OUT = fileURLToPath(new URL('../../tools/detector/held-out', import.meta.url));

/** The limits of a request. */
export const MOST_TEXTS = 100;
export const MOST_CHARACTERS = 50_000;

/** Sentences of all languages, in an order that is always the same. */
export const sentences = (most: number): string[] => mixOf(readHeldOut(HELD_OUT, { quick: false }), most);

export interface Translator {
  readonly jar: JarProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a request for these texts. */
  bodyOf(texts: readonly string[]): string;
  /** Sends a request and reads its answer; an unexpected answer ends the case. */
  detect(body: string, texts: number): Promise<void>;
  /** A request that processes no text. */
  health(): Promise<void>;
  stop(): Promise<void>;
}

/** A jar and a client of its detection endpoint, on persistent connections. */
export async function startTranslator(folder: string): Promise<Translator> {
  const jar = await startJarProcess(folder, ['--clock', 'virtual']);
  const agent = new undici.Agent({ connections: 16 });
  const url = `${jar.url}/detect?api-version=3.0`;
  const headers = { 'content-type': 'application/json', 'ocp-apim-subscription-key': await keyOf(jar, folder) };
  return {
    jar,
    url,
    headers,
    bodyOf: (texts) => JSON.stringify(texts.map((Text) => ({ Text }))),
    async detect(body, texts) {
      const answer = await undici.request(url, { method: 'POST', headers, body, dispatcher: agent });
      const found = await answer.body.json();
      if (answer.statusCode === 200 && Array.isArray(found) && found.length === texts) return;
      throw new Error(`detection answered ${answer.statusCode}: ${JSON.stringify(found).slice(0, 200)}`);
    },
    async health() {
      const answer = await undici.request(`${jar.url}/_jar/health`, { dispatcher: agent });
      await answer.body.dump();
    },
    async stop() {
      await agent.close();
      await jar.stop();
    },
  };
}

async function keyOf(jar: JarProcess, folder: string): Promise<string> {
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim();
  const response = await fetch(`${jar.url}/_jar/keys`, { headers: { authorization: `Bearer ${adminKey}` } });
  const { translator } = (await response.json()) as { translator?: string };
  if (translator === undefined) throw new Error(`the jar shows no subscription key: ${response.status}`);
  return translator;
}
