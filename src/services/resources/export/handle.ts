import { endOperation, type Resource, recordOutcome, resources } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { ForeignType } from '../foreign/rows.ts';
import { exportResources } from './template.ts';
import { EXPORT_TEMPLATE } from './work.ts';

/** Resources that were deleted since the export began are left out. */
export const exportTemplate = (foreign: readonly ForeignType[]) =>
  workHandler(EXPORT_TEMPLATE, async (item, jar: Jar) => {
    const { operation, origin, keys, options, prefix } = item.payload;
    const types = jar.providers.flatMap((provider) => provider.types);
    await jar.store.transact(async (tx) => {
      const found: Resource[] = [];
      for (const key of keys) {
        const stored = await tx.get(resources, key, 'none');
        if (stored) found.push(stored.value);
      }
      const result = exportResources({ resources: found, types, jar, foreign, options, prefix });
      const now = jar.clock.now();
      await endOperation(tx, operation, { status: 'Succeeded', result }, now);
      await recordOutcome(tx, origin, now, 'Succeeded');
      await tx.complete(item);
    });
  });
