import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    { title: 'Limits under pressure', kind: 'Limits', address: `${addressOf('limits')}?show=pressure` },
    { title: 'Clients that retried too early', kind: 'Limits', address: `${addressOf('limits')}?show=early` },
    { title: 'Limits that were changed', kind: 'Limits', address: `${addressOf('limits')}?show=changed` },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['name', 'title']);
    const query = { use: 0, $top: MOST, ...($filter && { $filter }) };
    const { value } = await dataOf(control.GET('/_jar/limits', { params: { query }, signal }));
    return value.map(({ name, title }) => ({ title, kind: `Limit ${name}`, address: addressOf('limits', name) }));
  },
};
