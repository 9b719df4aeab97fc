import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    { title: 'Dead letters', kind: 'Deliveries', address: `${addressOf('deliveries')}?show=dead` },
    { title: 'Deliveries that wait', kind: 'Deliveries', address: `${addressOf('deliveries')}?show=queued` },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['subject', 'id']);
    const { value } = await dataOf(
      control.GET('/_jar/deliveries', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ id, subject, address, state }) => ({
      title: `${subject ?? id} to ${address}`,
      kind: `Delivery, ${state}`,
      address: addressOf('deliveries', id),
    }));
  },
};
