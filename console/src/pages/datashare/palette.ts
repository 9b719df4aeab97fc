import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { ownedAddress } from './api.ts';

const MOST = 4;

export const palette: Palette = {
  actions: [
    {
      title: 'Failed synchronizations',
      kind: 'Data sharing',
      address: `${addressOf('datashare', 'synchronizations')}?show=failed`,
    },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['name', 'account']);
    const params = { query: { $top: MOST, ...($filter && { $filter }) } };
    const [sent, received] = await Promise.all([
      dataOf(control.GET('/_jar/datashare/shares', { params, signal })),
      dataOf(control.GET('/_jar/datashare/subscriptions', { params, signal })),
    ]);
    return [
      ...sent.value.map((share) => ({
        title: `${share.name} of ${share.account}`,
        kind: 'Share',
        address: ownedAddress('sent', share),
      })),
      ...received.value.map((subscription) => ({
        title: `${subscription.name} of ${subscription.account}`,
        kind: `Share subscription, ${subscription.status}`,
        address: ownedAddress('received', subscription),
      })),
    ];
  },
};
