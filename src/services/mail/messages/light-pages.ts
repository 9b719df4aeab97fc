import type { Collection, Page, Query, Reader, Stored } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';

/** Total characters of the bodies on one page. */
const MOST_CHARACTERS = 16_000_000;
/** Documents read at once: each can have a body of megabytes. */
const CHUNK = 10;

/**
 * A reader whose pages end early if bodies are large: a page of a thousand messages could have gigabytes, too much for memory and for a
 * JSON answer. A short page continues by position, like every other page.
 */
export const lightPages = (reader: Reader): Reader => ({
  get: (collection, key, lock) => reader.get(collection, key, lock),
  count: (collection, query) => reader.count(collection, query),
  query: (collection, query) => lightPage(reader, collection, query),
});

async function lightPage<T>(reader: Reader, collection: Collection<T>, query: Query): Promise<Page<T>> {
  const items: Stored<T>[] = [];
  let characters = 0;
  for (let asked = query; ; ) {
    const page = await reader.query(collection, { ...asked, limit: Math.min(CHUNK, query.limit - items.length) });
    items.push(...page.items);
    for (const { value } of page.items) characters += bodyLength(value);
    if (page.next === undefined) return { items };
    if (items.length >= query.limit || characters >= MOST_CHARACTERS) return { items, next: page.next };
    const { skip: _skip, ...rest } = query;
    asked = { ...rest, after: page.next };
  }
}

/** Body length of a message or an event; 0 for other documents. */
function bodyLength(value: unknown): number {
  const content = isObject(value) && isObject(value.body) ? value.body.content : undefined;
  return typeof content === 'string' ? content.length : 0;
}
