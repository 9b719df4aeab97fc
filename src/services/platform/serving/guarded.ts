import { eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { Guarded } from '../permissions/guard.ts';
import { endpointKey, type ServingEndpoint, servingEndpoints } from './collections.ts';

export const guardedEndpoint = ({ id, acl }: ServingEndpoint): Guarded => ({ type: 'serving-endpoints', id, acl });

const ID = /^[0-9a-f]{32}$/;

/** The final read is by key, so that a transaction locks the document. */
export async function endpointOfId(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<ServingEndpoint | undefined> {
  if (!ID.test(id)) return undefined;
  const filter = eq('id', `${workspaceId}/${id}`);
  const [found] = (await reader.query(servingEndpoints, { filter, limit: 1 })).items;
  const current = found && (await reader.get(servingEndpoints, found.key))?.value;
  return current?.id === id ? current : undefined;
}

/** Gives the permissions API access to endpoints, by id. */
export const GUARDED_ENDPOINTS = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = await endpointOfId(reader, workspaceId, id);
    return found && guardedEndpoint(found);
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const found = await endpointOfId(tx, workspaceId, id);
    if (found) await tx.put(servingEndpoints, endpointKey(workspaceId, found.name), { ...found, acl });
  },
};
