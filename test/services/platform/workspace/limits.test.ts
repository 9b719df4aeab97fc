import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { base64, withoutRates } from '../dbfs/support.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const MB = 1024 * 1024;
const HOME = '/Users/admin@vendor.example';
const at = (name: string, more = '') => `${name}?path=${encodeURIComponent('/Shared/')}${more}`;

const CASES: readonly (readonly [string, string, string, object | undefined, number, string])[] = [
  ['a relative path', 'GET', 'list?path=a/b', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['no path', 'GET', 'get-status', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a path of another type', 'POST', 'mkdirs', { path: [] }, 400, 'MALFORMED_REQUEST'],
  ['nothing there', 'GET', 'list?path=/Shared/none', undefined, 404, 'RESOURCE_DOES_NOT_EXIST'],
  ['a time in words', 'GET', at('list', '&notebooks_modified_after=now'), undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a file on the way', 'POST', 'mkdirs', { path: '/Shared/file/x' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['an import into nothing', 'POST', 'import', { path: '/Shared/a/b', format: 'RAW' }, 404, 'RESOURCE_DOES_NOT_EXIST'],
  [
    'an import into a file',
    'POST',
    'import',
    { path: '/Shared/file/b', format: 'RAW' },
    404,
    'RESOURCE_DOES_NOT_EXIST',
  ],
  [
    'an import over a directory',
    'POST',
    'import',
    { path: '/Shared/dir', format: 'RAW', overwrite: true },
    400,
    'RESOURCE_ALREADY_EXISTS',
  ],
  ['an import over the root', 'POST', 'import', { path: '/', format: 'RAW' }, 400, 'RESOURCE_ALREADY_EXISTS'],
  ['an unknown format', 'POST', 'import', { path: '/Shared/x', format: 'source' }, 400, 'INVALID_PARAMETER_VALUE'],
  ['an unknown language', 'POST', 'import', { path: '/Shared/x', language: 'COBOL' }, 400, 'INVALID_PARAMETER_VALUE'],
  [
    'source without a language',
    'POST',
    'import',
    { path: '/Shared/x', content: 'eA==' },
    400,
    'INVALID_PARAMETER_VALUE',
  ],
  ['no base64', 'POST', 'import', { path: '/Shared/x', format: 'RAW', content: '*' }, 400, 'INVALID_PARAMETER_VALUE'],
  [
    'no notebook',
    'POST',
    'import',
    { path: '/Shared/x', format: 'JUPYTER', content: 'eA==' },
    400,
    'INVALID_PARAMETER_VALUE',
  ],
  ['no page', 'POST', 'import', { path: '/Shared/x', format: 'HTML', content: 'eA==' }, 400, 'INVALID_PARAMETER_VALUE'],
  [
    'no archive',
    'POST',
    'import',
    { path: '/Shared/x', format: 'DBC', content: 'eA==' },
    400,
    'INVALID_PARAMETER_VALUE',
  ],
  ['a file as HTML', 'GET', 'export?path=/Shared/file&format=HTML', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a directory as HTML', 'GET', 'export?path=/Shared/dir&format=HTML', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['an export as nothing known', 'GET', 'export?path=/Shared/file&format=X', undefined, 400, 'INVALID_PARAMETER_VALUE'],
  ['a full directory', 'POST', 'delete', { path: '/Shared/dir' }, 400, 'DIRECTORY_NOT_EMPTY'],
  ['the root', 'POST', 'delete', { path: '/', recursive: true }, 400, 'DIRECTORY_PROTECTED'],
  ['/Users', 'POST', 'delete', { path: '/Users', recursive: true }, 400, 'DIRECTORY_PROTECTED'],
  ['a home', 'POST', 'delete', { path: HOME, recursive: true }, 400, 'DIRECTORY_PROTECTED'],
  ['what is not there', 'POST', 'delete', { path: '/Shared/none' }, 404, 'RESOURCE_DOES_NOT_EXIST'],
];

describe('objects of a workspace: what is refused', () => {
  withJar((bench) => {
    let ask: Ask;
    const put = (path: string, more: object) => ask('POST', '/workspace/import', { path, ...more });

    beforeAll(async () => {
      ask = await person(bench);
      await withoutRates(bench);
      await withoutRates(bench);
      await good(put('/Shared/file', { format: 'RAW', content: base64('text') }));
      await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/dir/sub' }));
    });

    it.each(CASES)('%s: %s %s', async (_title, method, name, body, status, code) => {
      const everything = () => good(ask('GET', '/workspace/list?path=/Shared'));
      const before = await everything();
      expect(refusal(await ask(method, `/workspace/${name}`, body))).toMatchObject({ status, code });
      expect(await everything()).toEqual(before);
    });

    it('25 directories one in another are fine, a 26th is not', async () => {
      const deep = `/Shared/${Array.from({ length: 24 }, (_, i) => `d${i}`).join('/')}`;
      await good(ask('POST', '/workspace/mkdirs', { path: deep }));
      await good(put(`${deep}/file`, { format: 'RAW' }));
      const refused = await ask('POST', '/workspace/mkdirs', { path: `${deep}/more` });
      expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.folder-depth', value: '25' });
      await good(ask('POST', '/workspace/delete', { path: '/Shared/d0', recursive: true }));
    });

    it('a name may have 500 characters, whatever their bytes', async () => {
      for (const sign of ['n', 'ß', '𝄞']) {
        await good(put(`/Shared/${sign.repeat(500)}`, { format: 'RAW' }));
        await good(ask('POST', '/workspace/delete', { path: `/Shared/${sign.repeat(500)}` }));
        const refused = await put(`/Shared/${sign.repeat(501)}`, { format: 'RAW' });
        expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.object-name-length', value: '500' });
        expect(refusal(await ask('POST', '/workspace/mkdirs', { path: `/Shared/${sign.repeat(501)}` }))).toMatchObject({
          code: 'RESOURCE_LIMIT_EXCEEDED',
        });
      }
    });

    it.each([
      ['SOURCE', { language: 'PYTHON' }, 'x\n# COMMAND ----------\n'.repeat(10_000)],
      ['R_MARKDOWN', {}, '```{r}\nx\n```\n'.repeat(10_001)],
      ['JUPYTER', {}, JSON.stringify({ cells: Array(10_001).fill({ cell_type: 'code', source: 'x' }) })],
    ])('10,001 cells are too many in the format %s', async (format, more, text) => {
      const refused = await put('/Shared/cells', { format, ...more, content: base64(text) });
      expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.notebook-cells', value: '10000' });
    });

    it.each(['Y', 'YQ=', 'YQ==YQ==', 'Y Q', 'YQ===', 'é'])('%j is no base64', async (content) => {
      expect(refusal(await put('/Shared/b64', { format: 'RAW', content }))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: "The field 'content' must be base64.",
      });
    });

    it('base64 may be of either alphabet, in lines, and without its end', async () => {
      for (const content of ['-_8=', '+/8', '-_\n8=\n', 'Pz8_Pz4-']) {
        await good(put('/Shared/b64', { format: 'RAW', content, overwrite: true }));
        const { content: back } = await good(ask('GET', '/workspace/export?path=/Shared/b64'));
        expect(back).toBe(Buffer.from(content, 'base64').toString('base64'));
      }
      await good(ask('POST', '/workspace/delete', { path: '/Shared/b64' }));
    });

    it('a body of any content type is parsed as JSON unless it is a form, and errors have the message of the gateway', async () => {
      const plain = { 'content-type': 'application/x-www-form-urlencoded' };
      await good(ask('POST', '/workspace/import', '{"path":"/Shared/curl","format":"RAW"}', plain));
      await good(ask('POST', '/workspace/delete', { path: '/Shared/curl' }));
      for (const path of ['/workspace/import', '/dbfs/put', '/workspace/mkdirs'])
        expect(refusal(await ask('POST', path, '{"path":', plain))).toMatchObject({
          status: 400,
          code: 'MALFORMED_REQUEST',
          message: expect.stringMatching(/^Invalid JSON given in the body of the request - failed to parse given JSON/),
        });
    });

    it('the root has one other word, and once', async () => {
      expect(refusal(await ask('POST', '/workspace/mkdirs', { path: '/Workspace/Workspace/x' }))).toMatchObject({
        code: 'INVALID_PARAMETER_VALUE',
      });
    });

    it('a notebook may have 10,000 cells', async () => {
      const cells = (count: number) => base64(Array(count).fill('x').join('\n\n# COMMAND ----------\n\n'));
      await good(put('/Shared/cells', { language: 'PYTHON', content: cells(10_000) }));
      const refused = await put('/Shared/more', { language: 'PYTHON', content: cells(10_001) });
      expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.notebook-cells', value: '10000' });
    });

    it('an import may bring 10 MB', async () => {
      const bytes = Buffer.alloc(10 * MB, 'x');
      await good(put('/Shared/ten', { format: 'RAW', content: bytes.toString('base64') }));
      const { content } = await good(ask('GET', '/workspace/export?path=/Shared/ten'));
      expect(content).toBe(bytes.toString('base64'));
      const more = Buffer.alloc(10 * MB + 1).toString('base64');
      expect(refusal(await put('/Shared/more', { format: 'RAW', content: more }))).toMatchObject({
        status: 400,
        code: 'MAX_NOTEBOOK_SIZE_EXCEEDED',
      });
    });

    it('a file may have as much as its limit says, and leaves nothing where it has more', async () => {
      const raw = { 'content-type': 'application/octet-stream' };
      await control(bench, 'PATCH', 'limits', { name: 'platform.workspace-file-size', limit: 3 * MB });
      await good(ask('POST', '/workspace-files/import-file/Shared/big', 'x'.repeat(3 * MB), raw));
      const refused = await ask('POST', '/workspace-files/import-file/Shared/bigger', 'x'.repeat(3 * MB + 1), raw);
      expect(refused.body.details[0].metadata).toMatchObject({ limit: 'platform.workspace-file-size' });
      expect(refusal(await ask('GET', '/workspace/get-status?path=/Shared/bigger'))).toMatchObject({ status: 404 });
    });
  });
});
