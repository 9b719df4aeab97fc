import type { JsonMembers } from '../../../kernel/values/index.ts';
import { CATALOGS } from '../catalog/containers/catalogs.ts';
import { requirePrivilege } from '../catalog/core/access.ts';
import { parentChain } from '../catalog/core/chain.ts';
import { createBelow } from '../catalog/core/operations.ts';
import { keyOf, securables } from '../catalog/core/securables.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { changeRoom, unwrapped } from './find.ts';
import { outputCatalogOf } from './view.ts';

/**
 * Creates the catalog that runs of the caller's metastore write to. There can be one at a time; after its deletion another can be created.
 */
export function createOutputCatalog(call: PlatformCall, name: string): Promise<JsonMembers> {
  return changeRoom(
    call,
    name,
    (chain) => requirePrivilege(call, chain, 'MODIFY_CLEAN_ROOM'),
    async (tx, { chain }) => {
      const local = chain.target;
      const sent = new Sent(unwrapped(call.body, 'output_catalog'), 'output_catalog');
      const catalogName = sent.need('catalog_name');
      const known = await outputCatalogOf(tx, local);
      if (known)
        throw errors.RESOURCE_ALREADY_EXISTS({
          reason: `The clean room '${local.name}' already has the output catalog '${known.name}'.`,
        });
      const { target: catalog } = await createBelow(tx, call, CATALOGS, parentChain(chain), {
        name: catalogName,
        sent: { comment: `Output of the clean room ${local.name}` },
      });
      await tx.put(securables, keyOf(local), {
        ...local,
        extra: { ...local.extra, outputCatalog: catalog.id },
        updatedAt: call.jar.clock.now(),
        updatedBy: callerIdentity(call).principal.id,
      });
      return { output_catalog: { catalog_name: catalog.name, status: 'CREATED' } };
    },
  );
}
