import type { Change } from '../../src/kernel/store/types.ts';
import type { TestJar } from '../../src/testing/index.ts';

/** Reads the live feed from its beginning, or after an event, until `enough` returns true. */
export async function readChanges(
  jar: TestJar,
  enough: (changes: readonly Change[]) => boolean,
  after?: string,
): Promise<Change[]> {
  const abort = new AbortController();
  const response = await fetch(`${jar.url}/_jar/events?from=start`, {
    headers: { authorization: `Bearer ${jar.adminKey}`, ...(after !== undefined && { 'last-event-id': after }) },
    signal: abort.signal,
  });
  const changes: Change[] = [];
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (data !== undefined) changes.push({ ...JSON.parse(data), cursor: /^id: (.*)$/m.exec(message)?.[1] });
      }
      if (enough(changes)) return changes;
    }
    return changes;
  } finally {
    abort.abort();
  }
}
