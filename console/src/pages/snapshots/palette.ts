import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    { title: 'Save a snapshot', kind: 'Snapshots', address: `${addressOf('snapshots')}?new=snapshot` },
    { title: 'Import a snapshot', kind: 'Snapshots', address: `${addressOf('snapshots')}?new=import` },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['name']);
    const { value } = await dataOf(
      control.GET('/_jar/snapshots', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ name }) => ({ title: name, kind: 'Snapshot', address: addressOf('snapshots', name) }));
  },
};
