import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { groupAddress } from './api.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    {
      title: 'Container groups that restart or fail',
      kind: 'Container groups',
      address: `${addressOf('containers')}?show=trouble`,
    },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['name', 'resourceGroup']);
    const { value } = await dataOf(
      control.GET('/_jar/containers/groups', {
        params: { query: { $top: MOST, ...($filter && { $filter }) } },
        signal,
      }),
    );
    return value.map((group) => ({
      title: `${group.name} in ${group.resourceGroup}`,
      kind: `Container group, ${group.state}`,
      address: groupAddress(group),
    }));
  },
};
