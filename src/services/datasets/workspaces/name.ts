import { Type } from 'typebox';
import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import { workspaces } from '../collections.ts';
import { errors } from '../errors.ts';
import { isPrintable } from '../model/fields.ts';
import { oneMistake } from '../model/mistakes.ts';

export const WorkspaceName = Type.String({ minLength: 1, maxLength: 256, pattern: '\\S' });

/** Trims the name. */
export function readName(written: string): string {
  if (!isPrintable(written))
    throw oneMistake('name', "'name' must have no control characters and no unpaired surrogates.");
  return written.trim();
}

/**
 * Names are unique in a tenant, including workspaces that the caller cannot see. Locks out other name changes until the transaction ends.
 */
export async function takeName(tx: Tx, tenantId: string, name: string, own?: string): Promise<void> {
  await tx.lock(`${workspaces.name}:${tenantId}`);
  const filter = allOf(eq('tenant', tenantId), eq('name', name.toLowerCase()), eq('kind', 'group'));
  const { items } = await tx.query(workspaces, { filter, limit: 1 });
  if (items.some(({ key }) => key !== own)) throw errors.PowerBIEntityAlreadyExists({ name });
}
