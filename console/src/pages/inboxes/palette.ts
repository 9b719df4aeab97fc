import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { counted } from '../../shared/format/numbers.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [{ title: 'Make an inbox', kind: 'Inboxes', address: `${addressOf('inboxes')}?new=inbox` }],
  async search(text, signal) {
    const $filter = searchOf(text, ['name']);
    const { value } = await dataOf(
      control.GET('/_jar/inbox', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ name, received }) => ({
      title: name,
      kind: `Inbox, ${counted(received, 'request')}`,
      address: addressOf('inboxes', name),
    }));
  },
};
