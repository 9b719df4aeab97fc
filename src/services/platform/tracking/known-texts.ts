import type { Collection, Tx } from '../../../kernel/store/index.ts';

interface NamedText {
  readonly name: string;
  readonly value: string;
}

/** The stored parameters or tags among these names: a single query, however many names. */
export async function knownTexts<T extends NamedText>(
  tx: Tx,
  from: Collection<T>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const { items } = await tx.query(from, { filter: { op: 'in', field: 'key', values: keys }, limit: keys.length });
  return new Map(items.map(({ value }) => [value.name, value.value]));
}
