import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { base64, withoutRates } from '../dbfs/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const DIR = '/Users/admin@vendor.example/dir';

onAnyStore('permissions of objects of a workspace', (bench) => {
  let admin: Ask;
  let licensed: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    [admin, licensed] = [await person(bench), await person(bench, 'licensed')];
    await good(admin('POST', '/workspace/mkdirs', { path: `${DIR}/sub` }));
    await good(put(admin, 'sub/n'));
  });

  const put = (ask: Ask, name: string, overwrite = false) =>
    ask('POST', '/workspace/import', {
      path: `${DIR}/${name}`,
      language: 'SQL',
      content: base64('SELECT 1'),
      overwrite,
    });
  const idOf = async (path: string) => (await good(admin('GET', `/workspace/get-status?path=${path}`))).object_id;
  const give = async (type: string, path: string, level?: string) => {
    const access_control_list = level ? [{ user_name: 'licensed@vendor.example', permission_level: level }] : [];
    return good(admin('PUT', `/permissions/${type}/${await idOf(path)}`, { access_control_list }));
  };

  it('permissions on a directory apply to everything below it, level by level', async () => {
    const tries = async () => ({
      list: (await licensed('GET', `/workspace/list?path=${DIR}`)).status,
      export: (await licensed('GET', `/workspace/export?path=${DIR}/sub/n`)).status,
      overwrite: (await put(licensed, 'sub/n', true)).status,
      create: (await put(licensed, 'sub/new')).status,
      delete: (await licensed('POST', '/workspace/delete', { path: `${DIR}/sub/new` })).status,
    });
    expect(await tries()).toEqual({ list: 403, export: 403, overwrite: 403, create: 403, delete: 404 });
    await give('directories', DIR, 'CAN_READ');
    expect(await tries()).toEqual({ list: 200, export: 200, overwrite: 403, create: 403, delete: 404 });
    await give('directories', DIR, 'CAN_EDIT');
    expect(await tries()).toEqual({ list: 200, export: 200, overwrite: 200, create: 403, delete: 404 });
    await give('directories', DIR, 'CAN_MANAGE');
    expect(await tries()).toEqual({ list: 200, export: 200, overwrite: 200, create: 200, delete: 200 });
    const shown = await good(licensed('GET', `/permissions/notebooks/${await idOf(`${DIR}/sub/n`)}`));
    expect(shown).toMatchObject({ object_type: 'notebook' });
    const own = shown.access_control_list.find(({ user_name }: { user_name?: string }) =>
      user_name?.startsWith('licensed'),
    );
    expect(own.all_permissions).toEqual([
      {
        permission_level: 'CAN_MANAGE',
        inherited: true,
        inherited_from_object: [`/directories/${await idOf(DIR)}`],
      },
    ]);
    await give('directories', DIR);
    expect(await tries()).toMatchObject({ list: 403, export: 403 });
  });

  it('a notebook that is shared is found by its path, and its neighbours are not', async () => {
    await good(put(admin, 'sub/o'));
    await give('notebooks', `${DIR}/sub/n`, 'CAN_RUN');
    await good(licensed('GET', `/workspace/get-status?path=${DIR}/sub/n`));
    expect(refusal(await licensed('GET', `/workspace/get-status?path=${DIR}/sub/o`))).toMatchObject({ status: 403 });
    expect(refusal(await licensed('GET', `/workspace/list?path=${DIR}/sub`))).toMatchObject({ status: 403 });
    await good(put(admin, 'sub/n', true));
    await good(licensed('GET', `/workspace/get-status?path=${DIR}/sub/n`));
    const wrongType = `/permissions/files/${await idOf(`${DIR}/sub/n`)}`;
    expect(refusal(await admin('GET', wrongType))).toMatchObject({ status: 404 });
  });
});
