import { addressOf } from '../../shared/address.ts';
import { askManagement, callerFor } from '../../shared/api/arm.ts';
import type { operations } from '../../shared/api/control.ts';
import { type Data, useData } from '../../shared/api/use-data.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import { ownPath, readServicePage } from '../../shared/list/pages.ts';

export type Share = RowOf<'/_jar/datashare/shares'>;
export type ShareSubscription = RowOf<'/_jar/datashare/subscriptions'>;
export type Run = RowOf<'/_jar/datashare/synchronizations'>;
export type FullRun = operations['Jar_GetSynchronization']['responses'][200]['content']['application/json'];
export type Account = RowOf<'/_jar/resources'>;

/** A child of a share or of a share subscription, as its own API shows it. */
export interface Child {
  readonly name: string;
  readonly kind?: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const VERSION = 'api-version=2021-08-01';

export const pathOf = (id: string, action = ''): string => `${id}${action}?${VERSION}`;

/** The children of one kind, such as `dataSets`; the quotas of the service bound their number. */
export function useChildren(id: string, kind: string, enabled = true): Data<readonly Child[]> {
  return useData(
    ['datashare', id, kind],
    async (signal) => {
      const [, , subscriptionId = ''] = id.split('/');
      const as = await callerFor(subscriptionId);
      const all: Child[] = [];
      let next: string | undefined = pathOf(id, `/${kind}`);
      while (next !== undefined) {
        const page: { value: readonly Child[]; nextLink?: string } = await readServicePage<Child>(next, { as, signal });
        all.push(...page.value);
        next = page.nextLink === undefined ? undefined : ownPath(page.nextLink);
      }
      return all;
    },
    { on: ['changes', '/subscriptions'], enabled },
  );
}

export const readDocument = async (id: string, signal: AbortSignal): Promise<unknown> =>
  (await askManagement<unknown>(pathOf(id), { signal })).body;

export const post = (id: string, action: string, body?: unknown) =>
  askManagement<{ readonly synchronizationId?: string }>(pathOf(id, `/${action}`), {
    method: 'POST',
    ...(body !== undefined && { body }),
  });

interface Owned {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly account: string;
  readonly name: string;
}

export type Section = 'synchronizations' | 'received' | 'sent' | 'accounts';

/** Where the console shows a share or a share subscription. */
export const ownedAddress = (
  section: 'received' | 'sent',
  { subscriptionId, resourceGroup, account, name }: Owned,
): string => addressOf('datashare', section, subscriptionId, resourceGroup, account, name);

export const runAddress = (id: string): string => addressOf('datashare', 'synchronizations', id);

const TYPES = { received: 'shareSubscriptions', sent: 'shares' } as const;

/** The resource id that the segments of an address name. */
export const idOf = (section: 'received' | 'sent', [s, g, account, name]: readonly string[]): string =>
  `/subscriptions/${s}/resourceGroups/${g}/providers/Vendor.DataShare/accounts/${account}/${TYPES[section]}/${name}`;

/** The address of the thing with this resource id, seen from the other side of the share. */
export function addressOfId(section: 'received' | 'sent', id: string): string {
  const [, , subscriptionId = '', , resourceGroup = '', , , , account = '', , name = ''] = id.split('/');
  return ownedAddress(section, { subscriptionId, resourceGroup, account, name });
}

/** What may change a share, a share subscription or a synchronization. */
export const SIGNALS = ['changes', 'work', 'clock', '/subscriptions'] as const;

export const isUnderWay = (status: string | undefined): boolean => status === 'Queued' || status === 'InProgress';
