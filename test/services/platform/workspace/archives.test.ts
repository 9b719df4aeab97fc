import { beforeAll, describe, expect, it } from 'vitest';
import { writeZip } from '../../../../src/services/platform/notebooks/formats/zip.ts';
import { withJar } from '../../../support/jars.ts';
import { base64, withoutRates } from '../dbfs/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const NOTEBOOK = '# Databricks notebook source\nx';

/** Names and contents of entries, in the order of the archive. */
type Entries = readonly (readonly [name: string, content?: string | Buffer])[];

const REFUSED: readonly (readonly [string, Entries, string])[] = [
  ['an entry above the directory', [['../../etc/passwd']], 'INVALID_PARAMETER_VALUE'],
  ['an entry with a NUL', [['a\0b']], 'INVALID_PARAMETER_VALUE'],
  ['an entry without a name', [['./.']], 'INVALID_PARAMETER_VALUE'],
  ['the same file twice', [['t/a'], ['t/a']], 'RESOURCE_ALREADY_EXISTS'],
  ['a notebook and a file of its name', [['t/a.py', NOTEBOOK], ['t/a']], 'RESOURCE_ALREADY_EXISTS'],
  ['a directory in a file', [['t/a'], ['t/a/b']], 'RESOURCE_ALREADY_EXISTS'],
  ['a file over a directory', [['t/a/b'], ['t/a']], 'RESOURCE_ALREADY_EXISTS'],
  ['26 directories one in another', [[`${'a/'.repeat(25)}x`], ['b']], 'RESOURCE_LIMIT_EXCEEDED'],
  ['a name of 501 characters', [['n'.repeat(501)]], 'RESOURCE_LIMIT_EXCEEDED'],
  ['more bytes than may come of it', [['z', Buffer.alloc(21 * 1024 * 1024)]], 'INVALID_PARAMETER_VALUE'],
  ['a notebook that is none', [['n.ipynb', 'no']], 'INVALID_PARAMETER_VALUE'],
];

describe('archives of sources', () => {
  withJar((bench) => {
    let ask: Ask;
    beforeAll(async () => {
      ask = await person(bench);
      await withoutRates(bench);
      await good(ask('POST', '/workspace/import', { path: '/Shared/file', format: 'RAW', content: base64('x') }));
    });

    const send = async (path: string, entries: Entries, by: Ask = ask) => {
      const zip = await writeZip(entries.map(([name, content = 'x']) => ({ name, bytes: Buffer.from(content) })));
      return by('POST', '/workspace/import', { path, content: zip.toString('base64') });
    };
    const everything = async (path: string): Promise<readonly string[]> => {
      const { objects = [] } = await good(ask('GET', `/workspace/list?path=${path}`));
      const below = await Promise.all(
        objects.map(async ({ path: at, object_type: type }: { path: string; object_type: string }) =>
          type === 'DIRECTORY' ? [at, ...(await everything(at))] : [at],
        ),
      );
      return below.flat();
    };

    it.each(REFUSED)('%s is refused, and nothing of the archive is there', async (_title, entries, code) => {
      expect(refusal(await send('/Shared/new', entries))).toMatchObject({ status: 400, code });
      expect(await everything('/Shared')).toEqual(['/Shared/file']);
    });

    it('the directory in which all entries lie is the new one; absolute names lie in it as well', async () => {
      await good(send('/Shared/new', [['/top/a.txt'], ['./top/b/./c.py', NOTEBOOK], ['top/b/d/e']]));
      const names = ['a.txt', 'b', 'b/c', 'b/d', 'b/d/e'].map((name) => `/Shared/new/${name}`);
      expect(await everything('/Shared/new')).toEqual(names);
      expect(refusal(await send('/Shared/new', [['a']]))).toMatchObject({ code: 'RESOURCE_ALREADY_EXISTS' });
      await good(ask('POST', '/workspace/delete', { path: '/Shared/new', recursive: true }));
    });

    it('no archive is imported into nothing, into a file, over the root or where one may not write', async () => {
      for (const path of ['/Shared/none/new', '/Shared/file/new'])
        expect(refusal(await send(path, [['a']]))).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
      expect(refusal(await send('/', [['a']]))).toMatchObject({ code: 'RESOURCE_ALREADY_EXISTS' });
      const licensed = await person(bench, 'licensed');
      expect(refusal(await send('/Users/admin@vendor.example/new', [['a']], licensed))).toMatchObject({ status: 403 });
    });

    it('of two archives to one path at once one wins', async () => {
      const replies = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) => send('/Shared/one', [[`t/${name}`], ['t/x']])),
      );
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
      expect(await everything('/Shared/one')).toHaveLength(2);
    });
  });
});
