import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { literal, searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { apiPath, type Company, recordAddress, STANDARD, setPath, subscriptionAddress } from './api.ts';

const MOST = 3;
const SETS = ['customers', 'vendors', 'items'] as const;

interface Named {
  readonly id: string;
  readonly displayName: string;
}

export const palette: Palette = {
  actions: [
    {
      title: 'Subscribe a webhook to records',
      kind: 'Business',
      address: `${addressOf('business', 'subscriptions')}?form=subscription`,
    },
    { title: 'Notifications that wait', kind: 'Business', address: addressOf('business', 'windows') },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['set', 'subscriptionId']);
    const [subscriptions, records] = await Promise.all([
      dataOf(
        control.GET('/_jar/business/subscriptions', {
          params: { query: { $top: MOST, ...($filter && { $filter }) } },
          signal,
        }),
      ),
      named(text, signal),
    ]);
    return [
      ...records,
      ...subscriptions.value.map(({ subscriptionId, set, notificationUrl }) => ({
        title: `${set} to ${notificationUrl}`,
        kind: 'Webhook subscription',
        address: subscriptionAddress(subscriptionId),
      })),
    ];
  },
};

/** Customers, vendors and items of the first company. */
async function named(text: string, signal: AbortSignal) {
  const { body } = await askService<{ value: Company[] }>(`${apiPath(STANDARD)}/companies`, { signal });
  const [company] = body.value;
  if (!company) return [];
  const query = new URLSearchParams({
    $filter: `contains(displayName,${literal(text)})`,
    $top: String(MOST),
    $select: 'id,displayName',
  });
  const found = await Promise.all(
    SETS.map(async (set) => {
      const { body: page } = await askService<{ value: Named[] }>(`${setPath(STANDARD, company.id, set)}?${query}`, {
        signal,
      });
      return page.value.map(({ id, displayName }) => ({
        title: displayName,
        kind: set,
        address: recordAddress(STANDARD, company.id, set, id),
      }));
    }),
  );
  return found.flat();
}
