import { request } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { blobPieces } from '../../../../src/services/platform/blobs/collections.ts';
import { writeZip } from '../../../../src/services/platform/notebooks/formats/zip.ts';
import { SERVICES } from '../../../../src/services.ts';
import { eventually } from '../../../support/eventually.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { base64, form, withoutRates } from '../dbfs/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const MB = 1024 * 1024;
const HOME = '/Users/admin@vendor.example';
const SOURCE = '# Databricks notebook source\nprint(1)';
const JUPYTER = JSON.stringify({
  cells: [{ cell_type: 'code', source: ['print(2)'], metadata: {}, outputs: [], execution_count: null }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});
const probe = new JarProbe();

/** The requests of the platform's own command line: `sync`, `workspace import-dir` and `export-dir`, `bundle deploy`. */
onAnyStore(
  'a workspace as the command line uses it',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const upload = (path: string, content: string, fields: Readonly<Record<string, string>> = {}) => {
      const { body, headers } = form({ path, format: 'AUTO', ...fields }, { name: 'content', content });
      return ask('POST', '/workspace/import', body, headers);
    };
    const status = (path: string, more = '') => ask('GET', `/workspace/get-status?path=${path}${more}`);
    const pieces = () => probe.jar.store.count(blobPieces);

    it('paths in responses and errors keep the prefix of the requested path', async () => {
      await good(ask('POST', '/workspace/mkdirs', { path: `/Workspace${HOME}/app` }));
      await good(upload(`/Workspace${HOME}/app/main.txt`, 'x'));
      const list = async (path: string) =>
        (await good(ask('GET', `/workspace/list?path=${path}`))).objects.map(({ path: at }: { path: string }) => at);
      for (const mount of ['', '/Workspace']) {
        const file = `${mount}${HOME}/app/main.txt`;
        expect(await good(status(file))).toMatchObject({ path: file, object_type: 'FILE' });
        expect(await list(`${mount}${HOME}/app`)).toEqual([file]);
        // A client mistakes a directory containing one file for that file unless the path is identical.
        expect(await list(file)).toEqual([file]);
        expect(refusal(await status(`${mount}/none`))).toMatchObject({
          message: `Path (${mount}/none) doesn't exist.`,
        });
        expect(refusal(await upload(file, 'y'))).toEqual({
          status: 409,
          code: 'RESOURCE_ALREADY_EXISTS',
          message: `File already exists at (${file}).`,
        });
        expect(refusal(await upload(`${mount}${HOME}/no/main.txt`, 'y'))).toMatchObject({
          status: 404,
          message: `The parent folder (${mount}${HOME}/no) does not exist.`,
        });
        expect(refusal(await ask('POST', '/workspace/delete', { path: `${mount}${HOME}/app` }))).toMatchObject({
          message: `Folder (${mount}${HOME}/app) is not empty`,
        });
      }
      expect(await good(status('/Workspace'))).toMatchObject({ path: '/Workspace', object_type: 'DIRECTORY' });
      expect(await good(status(`//Workspace${HOME}`))).toMatchObject({ path: HOME });
    });

    it('a notebook says in which format it is written to disk, and AUTO writes it so', async () => {
      await good(upload(`${HOME}/one.py`, SOURCE));
      await good(upload(`${HOME}/two.ipynb`, JUPYTER));
      await good(upload(`${HOME}/three.txt`, 'text'));
      const format = async (name: string) =>
        (await good(status(`${HOME}/${name}`, '&return_export_info=true'))).repos_export_format;
      expect(await Promise.all(['one', 'two', 'three.txt'].map(format))).toEqual(['SOURCE', 'JUPYTER', undefined]);
      expect(await good(status(`${HOME}/two`))).not.toHaveProperty('repos_export_format');
      const exported = async (name: string) => {
        const answer = await good(ask('GET', `/workspace/export?path=${HOME}/${name}&format=AUTO`));
        return [answer.file_type, Buffer.from(answer.content, 'base64').toString()];
      };
      expect(await exported('one')).toEqual(['py', SOURCE]);
      const [type, text] = await exported('two');
      expect([type, JSON.parse(text ?? '')]).toEqual(['ipynb', JSON.parse(JUPYTER)]);
      expect((await good(ask('GET', `/workspace/export?path=${HOME}/two`))).file_type).toBe('py');
      await good(upload(`${HOME}/two.py`, SOURCE, { overwrite: 'true' }));
      expect(await format('two')).toBe('SOURCE');
    });

    it('a form carries a file of more than 10 MB, and no larger notebook; JSON carries neither', async () => {
      const large = 'a line of a file\n'.repeat((11 * MB) / 17);
      await good(upload(`${HOME}/large.csv`, large));
      expect(await good(status(`${HOME}/large.csv`))).toMatchObject({ size: large.length });
      expect((await ask('GET', `/workspace/export?path=${HOME}/large.csv&direct_download=true`)).text).toBe(large);
      const stored = await pieces();
      for (const refused of [
        await upload(`${HOME}/large.py`, `${SOURCE}\n${large}`),
        await upload(`${HOME}/large`, large, { format: 'SOURCE', language: 'PYTHON' }),
        await upload(`${HOME}/large`, large, { format: 'DBC' }),
        await ask('POST', '/workspace/import', { path: `${HOME}/b`, format: 'RAW', content: base64(large) }),
        await ask('GET', `/workspace/export?path=${HOME}/large.csv`),
      ])
        expect(refusal(refused)).toMatchObject({ status: 400, code: 'MAX_NOTEBOOK_SIZE_EXCEEDED' });
      await eventually(async () => expect(await pieces()).toBe(stored));
      await good(ask('POST', '/workspace/delete', { path: `${HOME}/large.csv` }));
      await eventually(async () => expect(await pieces()).toBe(0));
    });

    it('a file over a notebook, or a notebook over a file, is refused with a reason of its own', async () => {
      await good(upload(`${HOME}/n.py`, SOURCE));
      await good(upload(`${HOME}/f`, 'text'));
      for (const [path, content, actual] of [
        [`${HOME}/n`, 'text', 'NOTEBOOK'],
        [`${HOME}/f.py`, SOURCE, 'FILE'],
      ] as const) {
        const refused = await upload(path, content, { overwrite: 'true' });
        expect(refusal(refused)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
        expect(refused.body.details[0]).toMatchObject({
          reason: 'WORKSPACE_OBJECT_TYPE_MISMATCH',
          metadata: { actual },
        });
      }
    });

    it('an archive of one notebook is not imported over another, nor an archive with an archive in it', async () => {
      await good(upload(`${HOME}/n.py`, SOURCE));
      const { content } = await good(ask('GET', `/workspace/export?path=${HOME}/n&format=DBC`));
      const put = (body: object) => ask('POST', '/workspace/import', { path: `${HOME}/n`, ...body });
      expect(refusal(await put({ format: 'DBC', content, overwrite: true }))).toMatchObject({
        code: 'INVALID_PARAMETER_VALUE',
      });
      expect(refusal(await put({ format: 'DBC', content }))).toMatchObject({ code: 'RESOURCE_ALREADY_EXISTS' });
      const inner = await writeZip([{ name: 'a.txt', bytes: Buffer.from('a') }]);
      const outer = await writeZip([{ name: 'top/inner.zip', bytes: inner }]);
      expect(refusal(await put({ path: `${HOME}/z`, content: outer.toString('base64') }))).toMatchObject({
        status: 400,
        message: expect.stringContaining('zip files within directories are not supported'),
      });
      expect(refusal(await status(`${HOME}/z`))).toMatchObject({ status: 404 });
    });

    it('an upload that pauses for longer than an hour of the clock is refused, and nothing of it stays', async () => {
      const sent = request(`${bench.jar.url}/api/2.0/workspace-files/import-file${HOME}/slow.bin?overwrite=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await bench.jar.token({ ttl: '3650d' })}` },
      });
      const answer = new Promise<number | undefined>((resolve, reject) =>
        sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject),
      );
      sent.write(Buffer.alloc(3 * MB));
      await eventually(async () => expect(await pieces()).toBeGreaterThan(5));
      await bench.jar.clock.advance('2h');
      await eventually(async () => expect(await pieces()).toBe(0));
      sent.end(Buffer.alloc(3 * MB));
      expect(await answer).toBe(409);
      expect(refusal(await status(`${HOME}/slow.bin`))).toMatchObject({ status: 404 });
      await eventually(async () => expect(await pieces()).toBe(0));
    });
  },
  { services: [...SERVICES, probe.service] },
);
