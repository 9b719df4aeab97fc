import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { partsOf, shortType } from './api.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    { title: 'Create a resource group', kind: 'Resources', address: `${addressOf('resources')}?new=group` },
    { title: 'Create a resource', kind: 'Resources', address: addressOf('resources', 'new') },
    {
      title: 'Operations in progress',
      kind: 'Resources',
      address: `${addressOf('resources', 'operations')}?show=running`,
    },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['name']);
    const query = { $top: MOST, ...($filter && { $filter }) };
    const [groups, resources] = await Promise.all([
      dataOf(control.GET('/_jar/resources/groups', { params: { query }, signal })),
      dataOf(control.GET('/_jar/resources', { params: { query }, signal })),
    ]);
    return [
      ...groups.value.map(({ id, name }) => ({ id, title: name, kind: 'Resource group' })),
      ...resources.value.map(({ id, name, type }) => ({ id, title: name, kind: shortType(type) })),
    ]
      .slice(0, MOST)
      .map(({ id, title, kind }) => ({ title, kind, address: addressOf('resources', ...partsOf(id).segments) }));
  },
};
