import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dataShareControl } from '../../../src/services/datashare/control/routes.ts';
import { dataShareErrors } from '../../../src/services/datashare/errors.ts';
import { DATA_SHARE } from '../../../src/services/datashare/index.ts';
import { KINDS } from '../../../src/services/datashare/model/kinds.ts';
import { SettingsSchema } from '../../../src/services/datashare/settings-schema.ts';
import { API_VERSIONS } from '../../../src/services/datashare/types.ts';
import { markedCode, needCurl, PageJar } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/datashare.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

describe('the page about data sharing', () => {
  it.each(Object.keys(dataShareErrors))('names the error %s', (code) => {
    expect(page.includes(`\`${code}\``)).toBe(true);
  });

  it('names every error under its status', () => {
    const table = page.slice(page.indexOf('### Errors'), page.indexOf('### Control API'));
    for (const [code, make] of Object.entries(dataShareErrors)) {
      const { status } = (make as (values: object) => { status: number })({});
      const row = table.split('\n').find((line) => line.startsWith(`| ${status} |`));
      expect(row, code).toContain(`\`${code}\``);
    }
  });

  it.each((DATA_SHARE.limits ?? []).map((limit) => [limit.name, limit] as const))(
    'names the limit %s',
    (name, limit) => {
      const most = 'limit' in limit ? limit.limit : '';
      expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|.*\\| ${most} \\|`));
    },
  );

  it.each(Object.keys(SettingsSchema.properties))('names the setting %s', (name) => {
    expect(page.includes(`| \`${name}\` |`)).toBe(true);
  });

  it.each(Object.entries(KINDS))('says of the kind %s whether it is copied', (kind, row) => {
    const line = page.split('\n').find((each) => each.startsWith('| ') && new RegExp(`\\b${kind}\\b`).test(each)) ?? '';
    expect(line.includes('| yes |')).toBe('files' in row);
  });

  it.each([...API_VERSIONS])('names the version %s', (version) => {
    expect(page.includes(`| \`${version}\` |`)).toBe(true);
  });

  it.each(dataShareControl.map(({ method, path }) => [method, path]))(
    'names the call %s %s, here and among those of the control API',
    (method, path) => {
      expect(page.includes(`\`${method} ${path}\``)).toBe(true);
      expect(read('docs/reference/control.md').includes(path)).toBe(true);
    },
  );
});

it('the example of the page about data sharing does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  const shown = await opened.shell(await markedCode(PAGE));
  expect(shown).toMatch(
    /"status":"Succeeded","synchronizationId":"[^"]+","synchronizationMode":"FullSync"\}\]\}\n1,2\n$/,
  );
});
