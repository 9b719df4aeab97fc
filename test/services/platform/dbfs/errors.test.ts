import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';
import { base64, withoutRates } from './support.ts';

const MB = 1024 * 1024;
const path = (value: string, more = '') => `path=${encodeURIComponent(value)}${more}`;

const CASES: readonly (readonly [string, string, string, object | undefined, number, string])[] = [
  ['a relative path', 'GET', `list?${path('a/b')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['no path', 'GET', 'list', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['dots in a path', 'GET', `list?${path('/a/../b')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a NUL in a path', 'POST', 'mkdirs', { path: '/a\u0000b' }, 400, 'INVALID_PARAMETER_VALUE'],
  ['half a surrogate pair', 'POST', 'mkdirs', { path: '/a\ud800' }, 400, 'INVALID_PARAMETER_VALUE'],
  ['a name that is too long', 'POST', 'mkdirs', { path: `/${'n'.repeat(501)}` }, 400, 'INVALID_PARAMETER_VALUE'],
  ['too many names', 'POST', 'mkdirs', { path: '/n'.repeat(251) }, 400, 'INVALID_PARAMETER_VALUE'],
  ['a path of another type', 'POST', 'mkdirs', { path: 7 }, 400, 'MALFORMED_REQUEST'],
  ['an empty body', 'POST', 'mkdirs', {}, 400, 'INVALID_PARAMETER_VALUE'],
  ['nothing there', 'GET', `get-status?${path('/none')}`, undefined, 404, 'RESOURCE_DOES_NOT_EXIST'],
  ['something below a file', 'GET', `get-status?${path('/file/x')}`, undefined, 404, 'RESOURCE_DOES_NOT_EXIST'],
  ['a read of a directory', 'GET', `read?${path('/dir')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a read of the root', 'GET', `read?${path('/')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a negative offset', 'GET', `read?${path('/file', '&offset=-1')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a negative length', 'GET', `read?${path('/file', '&length=-1')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a length in words', 'GET', `read?${path('/file', '&length=all')}`, undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['too much at once', 'GET', `read?${path('/file', `&length=${MB + 1}`)}`, undefined, 400, 'MAX_READ_SIZE_EXCEEDED'],
  ['a file on the way', 'POST', 'mkdirs', { path: '/file/dir' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['a directory at the path', 'POST', 'put', { path: '/dir', overwrite: true }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['the root as a file', 'POST', 'put', { path: '/', overwrite: true }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['an existing file', 'POST', 'put', { path: '/file' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['an existing file, by blocks', 'POST', 'create', { path: '/file' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['the root, by blocks', 'POST', 'create', { path: '/' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['what is no base64', 'POST', 'put', { path: '/x', contents: '§' }, 400, 'INVALID_PARAMETER_VALUE'],
  [
    'a block that is too large',
    'POST',
    'put',
    { path: '/x', contents: Buffer.alloc(MB + 1).toString('base64') },
    400,
    'MAX_BLOCK_SIZE_EXCEEDED',
  ],
  ['an unknown handle', 'POST', 'add-block', { handle: 7, data: 'eA==' }, 404, 'RESOURCE_DOES_NOT_EXIST'],
  ['a handle that is none', 'POST', 'close', { handle: 'x' }, 400, 'MALFORMED_REQUEST'],
  ['a full directory', 'POST', 'delete', { path: '/dir' }, 400, 'IO_ERROR'],
  ['the root', 'POST', 'delete', { path: '/', recursive: true }, 400, 'IO_ERROR'],
  [
    'a move of nothing',
    'POST',
    'move',
    { source_path: '/none', destination_path: '/x' },
    404,
    'RESOURCE_DOES_NOT_EXIST',
  ],
  [
    'a move onto a file',
    'POST',
    'move',
    { source_path: '/dir', destination_path: '/file' },
    400,
    'RESOURCE_ALREADY_EXISTS',
  ],
  [
    'a move into itself',
    'POST',
    'move',
    { source_path: '/dir', destination_path: '/dir/sub/x' },
    400,
    'INVALID_PARAMETER_VALUE',
  ],
  ['a move of the root', 'POST', 'move', { source_path: '/', destination_path: '/x' }, 400, 'INVALID_PARAMETER_VALUE'],
];

describe('file system: errors', () => {
  withJar((bench) => {
    let ask: Ask;
    beforeAll(async () => {
      ask = await person(bench);
      await withoutRates(bench);
      await good(ask('POST', '/dbfs/put', { path: '/file', contents: base64('text') }));
      await good(ask('POST', '/dbfs/mkdirs', { path: '/dir/sub' }));
    });

    it.each(CASES)('%s: %s %s', async (_title, method, name, body, status, code) => {
      const before = await everything();
      expect(refusal(await ask(method, `/dbfs/${name}`, body))).toMatchObject({ status, code });
      expect(await everything()).toEqual(before);
    });

    const everything = async () => [
      await good(ask('GET', '/dbfs/list?path=/')),
      await good(ask('GET', '/dbfs/list?path=/dir')),
      await good(ask('GET', '/dbfs/read?path=/file')),
    ];

    it('a block of exactly a megabyte, an empty file, and a read beyond the end are accepted', async () => {
      const whole = Buffer.alloc(MB, 'x').toString('base64');
      await good(ask('POST', '/dbfs/put', { path: '/full', contents: whole }));
      expect(await good(ask('GET', `/dbfs/read?path=/full&length=${MB}`))).toEqual({ bytes_read: MB, data: whole });
      expect(await good(ask('GET', `/dbfs/read?path=/full&offset=${MB}`))).toEqual({ bytes_read: 0, data: '' });
      await good(ask('POST', '/dbfs/put', { path: '/empty' }));
      expect(await good(ask('GET', '/dbfs/read?path=/empty'))).toEqual({ bytes_read: 0, data: '' });
      expect((await good(ask('GET', '/dbfs/list?path=/empty'))).files).toHaveLength(1);
    });
  });
});
