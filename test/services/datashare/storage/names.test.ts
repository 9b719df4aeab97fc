import { describe, expect, it } from 'vitest';
import { Calls } from '../../../../src/kernel/outbound/index.ts';
import { openStorage } from '../../../../src/services/datashare/storage/index.ts';
import { blobNameMistake, fileNameMistake } from '../../../../src/services/datashare/storage/names.ts';
import { folderStorage, newFolder } from './support.ts';

describe('a file name', () => {
  it.each([
    'a',
    'a/b',
    'a b',
    '.hidden',
    '...',
    'a..b',
    '~',
    '-rf',
    '$(x)',
    'ä/\u{1F600}',
    'con',
    `${'x'.repeat(255)}/y`,
  ])('can be %j', (name) => {
    expect(fileNameMistake(name, 'linux')).toBeUndefined();
    expect(blobNameMistake(name)).toBeUndefined();
  });

  it.each([
    ['/a', 'empty'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['x'.repeat(256), '255 bytes'],
    ['ä'.repeat(128), '255 bytes'],
    ['a/..', "'..'"],
    ['a\\b', 'backslash'],
  ])('in a folder cannot be %j', (name, reason) => {
    expect(fileNameMistake(name, 'linux')).toContain(reason);
  });

  it.each(['a:b', 'C:', 'a/nul', 'COM1.txt', 'lpt9', 'a.', 'a /b', 'a?', 'a*', 'a|b', '<a>', '"', 'a\tb'])(
    'on Windows cannot be %j',
    (name) => {
      expect(fileNameMistake(name, 'win32')).toContain('Windows');
      expect(fileNameMistake(name, 'linux')).toBeUndefined();
    },
  );

  it.each(['console', 'com', 'a.con', 'nulls/x'])('on Windows can be %j', (name) => {
    expect(fileNameMistake(name, 'win32')).toBeUndefined();
  });
});

describe('a storage account', () => {
  const KEY = 'my-secret-text';
  const configured = (name: string, connection: string) =>
    openStorage({
      root: newFolder(),
      accounts: { [name]: connection },
      outbound: { send: () => Promise.reject(new Error('nothing is sent')) },
      calls: new Calls(),
    });

  it.each(['', 'ab', 'UPPER', 'a-b', '..', 'a/b', 'x'.repeat(25), '__proto__', 'constructor'.toUpperCase()])(
    'cannot have the name %j',
    (name) => {
      const refused = expect.objectContaining({ code: 'AccountNameInvalid', isFinal: true });
      expect(() => folderStorage(newFolder()).account(name)).toThrow(refused);
    },
  );

  it.each(['..', 'a/b', '-a', 'x'.repeat(64)])('cannot have the name %j, configured or not', (name) => {
    expect(() => configured(name, 'UseDevelopmentStorage=true').account(name)).toThrow(
      expect.objectContaining({ code: 'AccountNameInvalid' }),
    );
  });

  it('can have a longer name with hyphens if it is configured', () => {
    const name = `my-emulator-${'x'.repeat(40)}`;
    expect(configured(name, 'UseDevelopmentStorage=true').account(name)).toBeDefined();
  });

  it('is refused with a wrong connection string, which is not shown', () => {
    const storage = configured('shop', `BlobEndpoint=http://a;AccountKey=${KEY}`);
    const refused = expect.objectContaining({
      code: 'AccountMisconfigured',
      message: expect.not.stringContaining(KEY),
    });
    expect(() => storage.account('shop')).toThrow(refused);
  });
});
