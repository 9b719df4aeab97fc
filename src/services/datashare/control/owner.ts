import { Type } from 'typebox';
import type { Owned } from '../collections.ts';

/** Where a share or a share subscription is. */
export const OWNER = {
  id: Type.String(),
  name: Type.String(),
  subscriptionId: Type.String(),
  resourceGroup: Type.String(),
  account: Type.String(),
  createdAt: Type.String(),
};

export interface Located {
  readonly id: string;
  readonly name: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly account: string;
}

/** `/subscriptions/{s}/resourceGroups/{g}/providers/{namespace}/accounts/{account}/…` */
export function locate({ id, name }: Pick<Owned, 'id' | 'name'>): Located {
  const [, , subscriptionId = '', , resourceGroup = '', , , , account = ''] = id.split('/');
  return { id, name, subscriptionId, resourceGroup, account };
}

/** Properties of a list of shares or share subscriptions. */
export const LOCATED = {
  id: { type: 'Edm.String', read: (it: Owned) => it.id },
  name: { type: 'Edm.String', field: 'name', ignoreCase: true },
  subscriptionId: { type: 'Edm.Guid', read: (it: Owned) => locate(it).subscriptionId },
  resourceGroup: { type: 'Edm.String', read: (it: Owned) => locate(it).resourceGroup },
  account: { type: 'Edm.String', read: (it: Owned) => locate(it).account },
  createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
} as const;
