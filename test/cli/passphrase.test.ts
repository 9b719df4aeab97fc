import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { askPassphrase, passphraseHeader, passphraseOf } from '../../src/cli/passphrase.ts';

/** A terminal with typed input, and its output. */
function terminal(typed: string) {
  const stream = new PassThrough();
  const modes: boolean[] = [];
  const setRawMode = (mode: boolean): void => void modes.push(mode);
  const input = Object.assign(stream, { isTTY: true as const, setRawMode });
  const shown: string[] = [];
  const output = { write: (text: string) => void shown.push(text) };
  stream.write(typed);
  return { input: input as never, output, modes, shown: () => shown.join('') };
}

test('a passphrase is asked for without showing it', async () => {
  const asked = terminal('words x\u007f\u007fof the team\r');
  expect(await askPassphrase(asked)).toBe('wordsof the team');
  expect(asked.shown()).toBe('Passphrase: \n');
  expect(asked.modes).toEqual([true, false]);
  await expect(askPassphrase(terminal('wor\u0003ds\r'))).rejects.toThrow('no passphrase was given');
});

test('the command line overrides the environment, and an empty variable counts as missing', async () => {
  expect(await passphraseOf({ passphrase: 'typed' }, { CLOUDJAR_PASSPHRASE: 'set' })).toBe('typed');
  expect(await passphraseOf({}, { CLOUDJAR_PASSPHRASE: 'set' })).toBe('set');
  expect(await passphraseOf({}, { CLOUDJAR_PASSPHRASE: '' })).toBeUndefined();
  expect(await passphraseOf({ passphrase: true }, {}, terminal('asked\n'))).toBe('asked');
  await expect(passphraseOf({ passphrase: 'a', passphraseFile: 'b' }, {})).rejects.toThrow(/either/);
  await expect(passphraseOf({ passphraseFile: '/none/such' }, {})).rejects.toThrow(/cannot be read/);
});

test.each([
  'words of the team',
  'words of the team\n',
  'words of the team\r\nsecond line\r\n',
  '\u{feff}words of the team\n',
])('the passphrase of a file is its first line: %j', async (content) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-passphrase-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const passphraseFile = join(folder, 'pass.txt');
  writeFileSync(passphraseFile, content);
  expect(await passphraseOf({ passphraseFile }, {})).toBe('words of the team');
  writeFileSync(passphraseFile, '\nsecond line');
  await expect(passphraseOf({ passphraseFile }, {})).rejects.toThrow(/first line must be the passphrase/);
});

test('letters of every alphabet go into the header', () => {
  expect(passphraseHeader('über')).toEqual({ 'cloudjar-passphrase': '%C3%BCber' });
  expect(passphraseHeader(undefined)).toEqual({});
});
