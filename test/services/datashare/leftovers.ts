import type { JarProbe } from '../../support/jar-probe.ts';

/** Documents that are kept: the claim of a storage account. */
const KEPT = new Set(['datashare.storage_owners']);

/** Everything in the store for data sharing: documents by collection, quota counts, and due work by kind. */
export async function leftovers({ jar }: JarProbe): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const add = (name: string): void => {
    found[name] = (found[name] ?? 0) + 1;
  };
  await jar.store.capture([], async (parts) => {
    for await (const part of parts) {
      if (part.of === 'work') for (const { kind } of part.rows) if (isOwn(kind)) add(`work ${kind}`);
      if (part.of !== 'documents' || KEPT.has(part.collection)) continue;
      for (const [key] of part.rows)
        if (isOwn(part.collection)) add(part.collection);
        else if (part.collection === 'kernel.quotas' && isOwn(key)) add(key.slice(0, key.indexOf('?')));
    }
  });
  return found;
}

const isOwn = (name: unknown): boolean => typeof name === 'string' && name.startsWith('datashare.');
