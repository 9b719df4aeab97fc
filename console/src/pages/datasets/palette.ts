import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { counted } from '../../shared/format/numbers.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { idFilterOf } from './api.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [{ title: 'Create a push dataset', kind: 'Push datasets', address: `${addressOf('datasets')}?new=dataset` }],
  async search(text, signal) {
    const $filter = idFilterOf(text) ?? searchOf(text, ['name']);
    const { value } = await dataOf(
      control.GET('/_jar/datasets', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ id, name, rows }) => ({
      title: name,
      kind: `Push dataset, ${counted(rows, 'row')}`,
      address: addressOf('datasets', id),
    }));
  },
};
