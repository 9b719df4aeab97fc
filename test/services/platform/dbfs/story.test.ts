import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { good, person, refusal } from '../support.ts';
import { base64, form, sdk, withoutRates } from './support.ts';

const MB = 1024 * 1024;

onBothStores('file system of the data platform', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
  });

  it('with the published client: put, stream, read in parts, list, move a directory, delete it', async () => {
    const { dbfs } = await sdk(bench);
    await dbfs.put({ path: '/reports/january.csv', contents: base64('a,b\n1,2\n'), overwrite: false });
    const { handle } = await dbfs.create({ path: '/reports/big.bin', overwrite: true });
    const block = Buffer.alloc(MB, 'block of a megabyte ');
    for (let i = 0; i < 3; i++) await dbfs.addBlock({ handle: handle as number, data: block.toString('base64') });
    await expect(dbfs.getStatus({ path: '/reports/big.bin' })).rejects.toThrow(/No file or directory exists/);
    await dbfs.close({ handle: handle as number });

    const whole = Buffer.concat([block, block, block]);
    const got: Buffer[] = [];
    for (let offset = 0; ; ) {
      const { bytes_read = 0, data = '' } = await dbfs.read({ path: '/reports/big.bin', offset, length: 700_001 });
      if (bytes_read === 0) break;
      got.push(Buffer.from(data, 'base64'));
      offset += bytes_read;
    }
    expect(Buffer.concat(got).equals(whole)).toBe(true);

    await dbfs.mkdirs({ path: '/reports/old/2019' });
    const listed = [];
    for await (const file of dbfs.list({ path: '/reports' })) listed.push([file.path, file.is_dir, file.file_size]);
    expect(listed).toEqual([
      ['/reports/big.bin', false, 3 * MB],
      ['/reports/january.csv', false, 8],
      ['/reports/old', true, 0],
    ]);

    await dbfs.move({ source_path: '/reports', destination_path: '/archive/reports' });
    await expect(dbfs.getStatus({ path: '/reports' })).rejects.toThrow(/No file or directory exists/);
    expect(await dbfs.read({ path: '/archive/reports/january.csv' })).toMatchObject({ data: base64('a,b\n1,2\n') });
    await expect(dbfs.delete({ path: '/archive' })).rejects.toThrow(/not empty/);
    await dbfs.delete({ path: '/archive', recursive: true });
    await dbfs.delete({ path: '/archive', recursive: true });
    const ask = await person(bench);
    expect(await good(ask('GET', '/dbfs/list?path=/'))).toEqual({ files: [] });
  });

  it('a form carries a file of any length, and answers at the bare path', async () => {
    const ask = await person(bench);
    const content = 'line with an end\r\n--no-boundary\r\n'.repeat(80_000);
    const { body, headers } = form({ path: '/up.txt', overwrite: 'true' }, { name: 'contents', content });
    await good(ask('POST', '//dbfs/put', body, headers));
    await good(ask('POST', '//dbfs/put', body, headers));
    expect(await good(ask('GET', '/dbfs/get-status?path=dbfs:/up.txt'))).toMatchObject({ file_size: content.length });
    const end = await good(ask('GET', `//dbfs/read?path=/up.txt&offset=${content.length - 10}&length=100`));
    expect(Buffer.from(end.data, 'base64').toString()).toBe(content.slice(-10));
    expect(end.bytes_read).toBe(10);
    const once = form({ path: '/up.txt', overwrite: 'false' }, { name: 'contents', content });
    expect(refusal(await ask('POST', '/dbfs/put', once.body, once.headers))).toMatchObject({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
    });
    const cut = { body: body.slice(0, -30), headers };
    expect(refusal(await ask('POST', '/dbfs/put', cut.body, cut.headers))).toMatchObject({ code: 'MALFORMED_REQUEST' });
    await bench.jar.clock.advance('2h');
    expect(await good(ask('GET', '/dbfs/get-status?path=/up.txt'))).toMatchObject({ file_size: content.length });
  });

  it('a handle ends ten minutes after its last use, and belongs to the user who opened it', async () => {
    const ask = await person(bench);
    const { handle } = await good(ask('POST', '/dbfs/create', { path: '/slow' }));
    for (let i = 0; i < 3; i++) {
      await bench.jar.clock.advance('9m');
      await good(ask('POST', '/dbfs/add-block', { handle, data: base64('more') }));
    }
    const other = await person(bench, 'licensed');
    for (const [name, body] of [
      ['add-block', { handle, data: base64('x') }],
      ['close', { handle }],
    ] as const)
      expect(refusal(await other('POST', `/dbfs/${name}`, body))).toMatchObject({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
      });
    await bench.jar.clock.advance('10m');
    expect(refusal(await ask('POST', '/dbfs/close', { handle }))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
    expect(refusal(await ask('GET', '/dbfs/get-status?path=/slow'))).toMatchObject({ status: 404 });
  });

  it('concurrent blocks for one handle all arrive, and concurrent creations of a directory make one', async () => {
    const ask = await person(bench);
    const { handle } = await good(ask('POST', '/dbfs/create', { path: '/many' }));
    const blocks = Array.from({ length: 16 }, (_, i) => String.fromCharCode(97 + i).repeat(50_000));
    await Promise.all(blocks.map((text) => good(ask('POST', '/dbfs/add-block', { handle, data: base64(text) }))));
    await good(ask('POST', '/dbfs/close', { handle }));
    const { data } = await good(ask('GET', `/dbfs/read?path=/many&length=${MB}`));
    expect(
      Buffer.from(data, 'base64')
        .toString()
        .match(/(.)\1{49999}/g)
        ?.toSorted(),
    ).toEqual(blocks);
    await Promise.all(blocks.map((_, i) => good(ask('POST', '/dbfs/mkdirs', { path: `/deep/er/${i % 4}` }))));
    expect((await good(ask('GET', '/dbfs/list?path=/deep/er'))).files).toHaveLength(4);
    const moves = await Promise.all([
      ask('POST', '/dbfs/move', { source_path: '/deep', destination_path: '/many2/deep' }),
      ask('POST', '/dbfs/move', { source_path: '/deep', destination_path: '/many3/deep' }),
    ]);
    expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('files of another workspace are not visible', async () => {
    const ask = await person(bench);
    await good(ask('POST', '/dbfs/put', { path: '/mine', contents: base64('x') }));
    const other = await person(bench, 'other');
    expect(refusal(await other('GET', '/dbfs/read?path=/mine'))).toMatchObject({ status: 404 });
  });
});
