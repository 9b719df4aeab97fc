import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';

const MOST = 4;

export const palette: Palette = {
  actions: [
    { title: 'Issue a token', kind: 'Identity', address: addressOf('identity', 'tokens') },
    { title: 'Decode a token', kind: 'Identity', address: addressOf('identity', 'tokens') },
    { title: 'Create a user', kind: 'Identity', address: `${addressOf('identity', 'users')}?new=user` },
    {
      title: 'Register an application',
      kind: 'Identity',
      address: `${addressOf('identity', 'applications')}?new=application`,
    },
    { title: 'Failed sign-ins', kind: 'Identity', address: `${addressOf('identity', 'sign-ins')}?show=failed` },
  ],
  async search(text, signal) {
    const query = (names: readonly string[]) => {
      const $filter = searchOf(text, names);
      return { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal };
    };
    const [people, programs] = await Promise.all([
      dataOf(control.GET('/_jar/users', query(['displayName', 'username', 'id']))),
      dataOf(control.GET('/_jar/applications', query(['displayName', 'alias', 'id']))),
    ]);
    return [
      ...people.value.map(({ id, displayName, username }) => ({
        title: `${displayName} (${username})`,
        kind: 'User',
        address: addressOf('identity', 'users', id),
      })),
      ...programs.value.map(({ id, displayName }) => ({
        title: displayName,
        kind: 'Application',
        address: addressOf('identity', 'applications', id),
      })),
    ];
  },
};
