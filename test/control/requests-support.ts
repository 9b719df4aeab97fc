import type { Bench } from '../support/jars.ts';

// biome-ignore lint/suspicious/noExplicitAny: entries of every kind are looked into
export type Shown = any;

export interface OpenedStream {
  /** The next events of these kinds; other events are skipped. */
  take(count: number, ...kinds: string[]): Promise<Shown[]>;
  readonly lastId: () => string;
  close(): void;
}

/** Opens the stream of requests; resolves when it is open. */
export async function openStream(
  { jar }: Bench,
  query = '',
  headers: Record<string, string> = {},
): Promise<OpenedStream> {
  const abort = new AbortController();
  const response = await fetch(`${jar.url}/_jar/requests/live${query}`, {
    headers: { authorization: `Bearer ${jar.adminKey}`, ...headers },
    signal: abort.signal,
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events = eventsOf(response);
  let lastId = String((await events.next()).value?.id);
  return {
    async take(count, ...kinds) {
      const taken: Shown[] = [];
      while (taken.length < count) {
        const { value } = await events.next();
        if (value === undefined) throw new Error('the stream ended');
        lastId = value.id;
        if (kinds.length === 0 || kinds.includes(value.event)) taken.push({ event: value.event, ...value.data });
      }
      return taken;
    },
    lastId: () => lastId,
    close: () => abort.abort(),
  };
}

export async function* eventsOf(response: Response): AsyncGenerator<{ id: string; event: string; data: Shown }> {
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id = '', event = '', data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (data !== undefined) yield { id, event, data: JSON.parse(data) };
    }
  }
}
