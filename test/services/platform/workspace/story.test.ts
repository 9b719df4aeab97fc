import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { base64, form, sdk, withoutRates } from '../dbfs/support.ts';
import { good, person, refusal } from '../support.ts';

const HOME = '/Users/admin@vendor.example';
const SOURCE = `# Databricks notebook source
print(1)

# COMMAND ----------

# MAGIC %sql
# MAGIC SELECT 1`;

const text = ({ content }: { content?: string }) => Buffer.from(content ?? '', 'base64').toString();

onBothStores('objects of a workspace', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    await withoutRates(bench);
  });

  it('with the published client: directories, notebooks in every format, files, delete', async () => {
    const { workspace } = await sdk(bench);
    const objects = async (path: string, after?: number) => {
      const found = [];
      for await (const { path: at, object_type, language, size } of workspace.list({
        path,
        ...(after !== undefined && { notebooks_modified_after: after }),
      }))
        found.push([at, object_type, language ?? size]);
      return found;
    };
    expect(await objects('/')).toEqual([
      ['/Repos', 'DIRECTORY', undefined],
      ['/Shared', 'DIRECTORY', undefined],
      ['/Users', 'DIRECTORY', undefined],
    ]);
    await workspace.mkdirs({ path: `${HOME}/etl/steps` });
    await workspace.mkdirs({ path: `/Workspace${HOME}/etl/steps` });
    await workspace.import({ path: `${HOME}/etl/load`, format: 'SOURCE', language: 'PYTHON', content: base64(SOURCE) });
    await workspace.import({ path: `${HOME}/etl/steps/one.py`, format: 'AUTO', content: base64(SOURCE) });
    await workspace.import({ path: `${HOME}/etl/config.json`, format: 'AUTO', content: base64('{"a":1}') });
    expect(await objects(`${HOME}/etl`)).toEqual([
      [`${HOME}/etl/config.json`, 'FILE', 7],
      [`${HOME}/etl/load`, 'NOTEBOOK', 'PYTHON'],
      [`${HOME}/etl/steps`, 'DIRECTORY', undefined],
    ]);
    expect(await objects(`${HOME}/etl/steps`)).toEqual([[`${HOME}/etl/steps/one`, 'NOTEBOOK', 'PYTHON']]);
    expect(await objects(`${HOME}/etl/load`)).toHaveLength(1);
    expect(await objects(`${HOME}/etl`, bench.jar.clock.now().getTime())).toHaveLength(2);

    const status = await workspace.getStatus({ path: `${HOME}/etl/load` });
    expect(status).toMatchObject({ object_type: 'NOTEBOOK', resource_id: String(status.object_id) });
    expect(text(await workspace.export({ path: `${HOME}/etl/load` }))).toBe(SOURCE);
    expect(text(await workspace.export({ path: `${HOME}/etl/config.json`, format: 'AUTO' }))).toBe('{"a":1}');

    for (const format of ['HTML', 'JUPYTER', 'DBC', 'R_MARKDOWN'] as const) {
      const { content = '', file_type } = await workspace.export({ path: `${HOME}/etl/load`, format });
      expect(file_type).toBe({ HTML: 'html', JUPYTER: 'ipynb', DBC: 'dbc', R_MARKDOWN: 'Rmd' }[format]);
      await workspace.import({ path: `${HOME}/copy of ${format}`, format, content });
      const copy = text(await workspace.export({ path: `${HOME}/copy of ${format}`, format: 'JUPYTER' }));
      expect(JSON.parse(copy).cells.map(({ source }: { source: string[] }) => source.join(''))).toHaveLength(2);
    }
    const archive = await workspace.export({ path: `${HOME}/etl`, format: 'DBC' });
    await workspace.import({ path: '/Shared/from archive', format: 'DBC', content: archive.content });
    expect(await objects('/Shared/from archive/steps')).toEqual([
      ['/Shared/from archive/steps/one', 'NOTEBOOK', 'PYTHON'],
    ]);
    const zip = await workspace.export({ path: `${HOME}/etl`, format: 'AUTO' });
    await workspace.import({ path: '/Shared/from zip', format: 'SOURCE', content: zip.content });
    expect(await objects('/Shared/from zip')).toHaveLength(3);
    expect(text(await workspace.export({ path: '/Shared/from zip/steps/one' }))).toBe(SOURCE);

    await expect(workspace.delete({ path: `${HOME}/etl` })).rejects.toThrow(/not empty/);
    await workspace.delete({ path: `${HOME}/etl`, recursive: true });
    await expect(workspace.getStatus({ path: `${HOME}/etl/steps/one` })).rejects.toThrow(/doesn't exist/);
    await workspace.mkdirs({ path: `${HOME}/etl/steps` });
    expect(await objects(`${HOME}/etl/steps`)).toEqual([]);
  });

  it('overwriting keeps the id and asks for it; a notebook stays a notebook and a file a file', async () => {
    const ask = await person(bench);
    const put = (path: string, more: object) =>
      ask('POST', '/workspace/import', { path: `${HOME}/${path}`, content: base64(SOURCE), ...more });
    await good(put('n', { language: 'PYTHON' }));
    await good(put('f', { format: 'RAW' }));
    const status = (path: string) => good(ask('GET', `/workspace/get-status?path=${HOME}/${path}`));
    const before = await status('n');
    expect(refusal(await put('n', { language: 'PYTHON' }))).toEqual({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
      message: `Path (${HOME}/n) already exists.`,
    });
    expect(refusal(await put('f', { format: 'RAW' }))).toEqual({
      status: 409,
      code: 'RESOURCE_ALREADY_EXISTS',
      message: `File already exists at (${HOME}/f).`,
    });
    await bench.jar.clock.advance('1m');
    await good(put('n', { language: 'SQL', overwrite: true, content: base64('SELECT 2') }));
    expect(await status('n')).toMatchObject({
      object_id: before.object_id,
      created_at: before.created_at,
      modified_at: before.modified_at + 60_000,
      language: 'SQL',
    });
    const { content } = await good(ask('GET', `/workspace/export?path=${HOME}/n`));
    expect(text({ content })).toBe('-- Databricks notebook source\nSELECT 2');
    expect(refusal(await put('n', { format: 'RAW', overwrite: true }))).toMatchObject({
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining('type mismatch'),
    });
    expect(refusal(await put('f', { language: 'R', overwrite: true }))).toMatchObject({
      code: 'INVALID_PARAMETER_VALUE',
    });
  });

  it('a form, a raw body at the path of the command line, and downloads', async () => {
    const ask = await person(bench);
    const upload = form(
      { path: `${HOME}/up.py`, format: 'AUTO', overwrite: 'true' },
      { name: 'content', content: SOURCE },
    );
    await good(ask('POST', '/workspace/import', upload.body, upload.headers));
    const raw = { 'content-type': 'application/octet-stream' };
    const big = 'a line of a long file\n'.repeat(100_000);
    const at = encodeURIComponent(`${HOME}/deep/big file.txt`.slice(1));
    expect(refusal(await ask('POST', `/workspace-files/import-file/${at}?overwrite=true`, big, raw))).toEqual({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
      message: `The parent folder (${HOME}/deep) does not exist.`,
    });
    await good(ask('POST', '/workspace/mkdirs', { path: `${HOME}/deep` }));
    await good(ask('POST', `/workspace-files/import-file/${at}?overwrite=true`, big, raw));
    expect(refusal(await ask('POST', `/workspace-files/import-file/${at}`, big, raw))).toMatchObject({ status: 409 });
    expect((await ask('GET', `/workspace-files/${at}`)).text).toBe(big);
    const direct = await ask(
      'GET',
      `/workspace/export?path=${HOME}/deep/big file.txt&direct_download=true`.replaceAll(' ', '%20'),
    );
    expect(direct.text).toBe(big);
    await good(ask('POST', `/workspace-files/import-file${HOME}/job.py`, SOURCE, raw));
    expect(await good(ask('GET', `//workspace/get-status?path=${HOME}/job`))).toMatchObject({
      object_type: 'NOTEBOOK',
    });
    expect((await ask('GET', `/workspace/export?path=${HOME}/up&direct_download=true`)).text).toBe(SOURCE);
    await bench.jar.clock.advance('2h');
    expect((await ask('GET', `/workspace-files/${at}`)).text).toBe(big);
  });

  it('everybody has a home of their own and all of /Shared, and sees nothing else', async () => {
    const admin = await person(bench);
    const licensed = await person(bench, 'licensed');
    await good(admin('POST', '/workspace/mkdirs', { path: `${HOME}/private` }));
    await good(licensed('POST', '/workspace/mkdirs', { path: '/Shared/team' }));
    await good(admin('POST', '/workspace/mkdirs', { path: '/top' }));
    const listed = async (path: string) =>
      ((await good(licensed('GET', `/workspace/list?path=${path}`))).objects ?? []).map(
        ({ path: at }: { path: string }) => at,
      );
    expect(await listed('/')).toEqual(['/Repos', '/Shared', '/Users']);
    expect(await listed('/Users')).toEqual(['/Users/licensed@vendor.example']);
    expect(await listed('/Repos')).toEqual(['/Repos/licensed@vendor.example']);
    expect(await listed('/Shared')).toEqual(['/Shared/team']);
    for (const [method, path, body] of [
      ['GET', `/workspace/list?path=${HOME}`],
      ['GET', `/workspace/get-status?path=${HOME}/private`],
      ['GET', '/workspace/export?path=/Users&format=DBC'],
      ['GET', '/workspace/export?path=/Repos&format=AUTO'],
      ['POST', '/workspace/mkdirs', { path: `${HOME}/mine` }],
      ['POST', '/workspace/mkdirs', { path: '/other' }],
      ['POST', '/workspace/import', { path: `${HOME}/x`, format: 'RAW' }],
      ['POST', '/workspace/delete', { path: `${HOME}/private` }],
    ] as const)
      expect(refusal(await licensed(method, path, body)), path).toMatchObject({
        status: 403,
        code: 'PERMISSION_DENIED',
      });
    const other = await person(bench, 'other');
    expect(refusal(await other('GET', '/workspace/get-status?path=/Shared/team'))).toMatchObject({ status: 404 });
  });

  it('the longest name there may be, of four bytes a character, is kept', async () => {
    const ask = await person(bench);
    const name = Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x20000 + i * 37)).join('');
    await good(ask('POST', '/workspace/mkdirs', { path: `/Shared/${name}` }));
    await good(ask('POST', '/workspace/import', { path: `/Shared/${name}/${name}`, format: 'RAW' }));
    const { objects } = await good(ask('GET', `/workspace/list?path=/Shared/${encodeURIComponent(name)}`));
    expect(objects[0].path).toBe(`/Shared/${name}/${name}`);
  });

  it('of many imports to one path at once one wins, and directories made at once are one', async () => {
    const ask = await person(bench);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ask('POST', '/workspace/import', { path: '/Shared/one', format: 'RAW', content: base64(String(i)) }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(11).fill(409)]);
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => good(ask('POST', '/workspace/mkdirs', { path: `/Shared/a/b/${i}` }))),
    );
    expect((await good(ask('GET', '/workspace/list?path=/Shared/a'))).objects).toHaveLength(1);
    expect((await good(ask('GET', '/workspace/list?path=/Shared/a/b'))).objects).toHaveLength(12);
  });
});
