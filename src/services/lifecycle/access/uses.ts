import type { Jar } from '../../../kernel/jar-context.ts';
import { listOf, type Token, tokens, tokenUses } from '../collections.ts';

/** When tokens were last used: to the minute of the jar's clock, so that a busy token costs one write a minute. */
const GRAIN_MS = 60_000;
const MOST_KNOWN = 20_000;

interface Uses {
  /** The minute that is written already, by the id of the token. */
  readonly written: Map<string, number>;
  readonly writing: Set<Promise<void>>;
}

const uses = new WeakMap<Jar, Uses>();

function usesOf(jar: Jar): Uses {
  let known = uses.get(jar);
  if (!known) {
    known = { written: new Map(), writing: new Set() };
    uses.set(jar, known);
  }
  return known;
}

/** The request does not wait for it. */
export function noteUse(jar: Jar, { id }: Pick<Token, 'id'>): void {
  const { written, writing } = usesOf(jar);
  const minute = Math.floor(jar.clock.now() / GRAIN_MS);
  if (written.get(id) === minute) return;
  if (written.size >= MOST_KNOWN) written.clear();
  written.set(id, minute);
  const usedAt = new Date(minute * GRAIN_MS).toISOString();
  const pending = write(jar, id, usedAt)
    .catch((error) => jar.log.warn({ err: error, tokenId: id }, 'the last use of a token could not be noted'))
    .finally(() => writing.delete(pending));
  writing.add(pending);
}

/** Not of a token that was deleted meanwhile. */
async function write({ store }: Jar, id: string, usedAt: string): Promise<void> {
  await store.transact(async (tx) => {
    const token = await tx.get(tokens, id);
    if (token) await tx.put(tokenUses, id, { usedAt, list: listOf(token.value) });
  });
}

/** All that was begun is written: before a list of tokens is read, and before the jar closes. */
export async function usesWritten(jar: Jar): Promise<void> {
  await Promise.all(usesOf(jar).writing);
}

/** All state was replaced. */
export const forgetUses = (jar: Jar): void => usesOf(jar).written.clear();
