import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Vault } from '../../../src/kernel/auth/vault.ts';
import { chunks, drafts } from '../../../src/kernel/snapshots/collections.ts';
import { bytesOfFrames, framesOf } from '../../../src/kernel/snapshots/frames.ts';
import { leftOutLine } from '../../../src/kernel/snapshots/left-out-line.ts';
import { replaceSealed, resealed } from '../../../src/kernel/snapshots/sealed-values.ts';
import { SecretsRenewer } from '../../../src/kernel/snapshots/without-secrets.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import { items, type Opened, openSnapshots } from './open-snapshots.ts';

const PASSPHRASE = 'a passphrase of the tests';
const SECRET = 'what only the first jar knows';
/** Enough incompressible data for several encrypted frames. */
const LARGE = 20;
const LARGE_BYTES = 24 * 1024;

let first: Opened;
/** A jar with another key. */
let other: Opened;
let locked: Buffer;
let portable: Buffer;

const fileOf = async (form: object): Promise<Buffer> => buffer((await first.snapshots.content('made', form)).file);
const take = (file: Buffer | Readable, passphrase: string | undefined = PASSPHRASE, name = 'taken') =>
  other.snapshots.accept(name, file instanceof Readable ? file : Readable.from([file]), { passphrase });
const linesIn = (file: Buffer): string[] => gunzipSync(file).toString().trimEnd().split('\n');
const pack = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);
const nothingIsLeft = async (): Promise<void> => {
  expect(await other.snapshots.list()).toEqual([]);
  expect(await other.store.count(chunks)).toBe(0);
  expect(await other.store.count(drafts)).toBe(0);
};

beforeAll(async () => {
  first = await openSnapshots('SQLite', '', 1);
  other = await openSnapshots('SQLite', '', 2);
  const sealed = first.vault.seal(SECRET);
  await first.store.transact(async (tx) => {
    await tx.put(items, 'sealed', { generation: 'a', note: sealed });
    await tx.put(items, 'nested', {
      generation: 'a',
      note: JSON.stringify({ deep: first.vault.seal(`{"in":"${sealed}"}`) }),
    });
    for (let i = 0; i < LARGE; i++)
      await tx.put(items, `large-${i}`, { generation: 'a', note: randomBytes(LARGE_BYTES).toString('base64') });
    await tx.schedule({ id: 'due', kind: 'k', dueAt: 5, payload: { sealed } });
    await tx.change({ source: 's', kind: 'k', subject: 'x', outcome: 'Succeeded', at: 1, data: { sealed } });
  });
  await first.snapshots.save('made');
  locked = await fileOf({ passphrase: PASSPHRASE });
  portable = await fileOf({ portable: true });
});
afterAll(async () => {
  await first.close();
  await other.close();
});

describe('a file with a passphrase', () => {
  test('brings every sealed value under the key of the other jar, those in due work, in changes and in other sealed values as well', async () => {
    expect(linesIn(locked).length).toBeGreaterThan(3);
    const { created, leftOut } = await take(locked);
    expect({ created, leftOut }).toEqual({ created: true, leftOut: [] });
    await other.snapshots.restore('taken');
    const note = async (key: string): Promise<string> => (await other.store.get(items, key))?.value.note ?? '';
    expect(other.vault.open(await note('sealed'))).toBe(SECRET);
    const outer = JSON.parse(other.vault.open(JSON.parse(await note('nested')).deep));
    expect(other.vault.open(outer.in)).toBe(SECRET);
    const [change] = await other.store.changesAfter(undefined, 1);
    expect(change?.data).toEqual({ sealed: expect.any(String) });
    const own = gunzipSync(await buffer((await other.snapshots.content('taken')).file)).toString();
    expect(replaceSealed(own, first.vault, () => 'FOUND')).not.toContain('FOUND');
    expect(replaceSealed(own, other.vault, () => '<opened>').split('<opened>')).toHaveLength(5);
    await other.snapshots.delete('taken');
  });

  test('shows nothing but its header', async () => {
    const [header, ...lines] = linesIn(locked);
    expect(JSON.parse(header ?? '')).toMatchObject({ cloudjar: 'snapshot', format: 4, secrets: 'passphrase' });
    for (const line of lines) expect(line).toMatch(/^\["[ez]","[A-Za-z0-9+/=]+"\]$/);
    expect(lines.join('')).not.toContain('large-1');
  });

  test('is refused with another passphrase, with none and with an empty one', async () => {
    await expect(take(locked, 'another passphrase')).rejects.toMatchObject({ code: 'WrongPassphrase', status: 400 });
    await expect(other.snapshots.accept('taken', Readable.from([locked]))).rejects.toMatchObject({
      code: 'PassphraseNeeded',
    });
    await expect(take(locked, '')).rejects.toMatchObject({ code: 'BadPassphrase' });
    await nothingIsLeft();
  });

  test('is refused before the rest of it has come', async () => {
    const stream = new PassThrough();
    onTestFinished(() => void stream.destroy());
    stream.write(gzipSync(`${linesIn(locked)[0]}\n`));
    await expect(take(stream, 'another passphrase')).rejects.toMatchObject({ code: 'WrongPassphrase' });
  });

  test.each([
    ['short', 'it has fewer than 8 characters'],
    ['', 'it is empty'],
    ['long'.repeat(300), 'it has more than 1024 characters'],
  ])('is not made with the passphrase %j', async (passphrase, reason) => {
    await expect(fileOf({ passphrase })).rejects.toMatchObject({
      code: 'BadPassphrase',
      message: expect.stringContaining(reason),
    });
  });

  test('is not made without secrets as well', async () => {
    await expect(fileOf({ passphrase: PASSPHRASE, portable: true })).rejects.toMatchObject({
      code: 'PassphraseOrPortable',
    });
  });

  test('accepts the same letters in another composition', async () => {
    const composed = await buffer((await first.snapshots.content('made', { passphrase: 'über alle Maßen' })).file);
    await take(composed, 'u\u0308ber alle Maßen');
    await other.snapshots.delete('taken');
  });

  test.each([
    { N: 2 ** 30 },
    { N: 2 ** 20 },
    { r: 2 ** 20 },
    { p: 2 ** 30 },
    { N: 30_000 },
    { N: 0 },
    { r: -1 },
    { N: 1e300 },
    { salt: '' },
    { salt: 'A'.repeat(1000) },
    { kdf: 'none' },
  ])('cannot make a jar work harder than it will: %j', async (change) => {
    const [header = '', ...lines] = linesIn(locked);
    const changed = JSON.parse(header);
    changed.derivation = { ...changed.derivation, ...change };
    await expect(take(pack([JSON.stringify(changed), ...lines]))).rejects.toMatchObject({
      code: 'SnapshotFileMalformed',
    });
    await nothingIsLeft();
  });

  test('is refused when its header was changed', async () => {
    const [header = '', ...lines] = linesIn(locked);
    for (const change of [{ takenAt: '2020-01-01T00:00:00.000Z' }, { engine: 'other' }, { version: '0.0.1' }]) {
      const file = pack([JSON.stringify({ ...JSON.parse(header), ...change }), ...lines]);
      await expect(take(file)).rejects.toMatchObject({ code: 'WrongPassphrase' });
    }
    await nothingIsLeft();
  });

  test('is refused when its last piece is missing', async () => {
    await expect(take(pack(linesIn(locked).slice(0, -1)))).rejects.toMatchObject({ code: 'SnapshotFileIncomplete' });
    await nothingIsLeft();
  });

  test('is refused when pieces are left out, changed, repeated or in another order', async () => {
    const vault = Vault.withRandomKey();
    const content = randomBytes(600 * 1024);
    const lines = await Array.fromAsync(framesOf(Readable.from([content]), vault));
    const read = async (each: readonly string[], by = vault): Promise<Buffer> =>
      Buffer.concat(await Array.fromAsync(bytesOfFrames(Readable.from(each), by)));
    expect((await read(lines)).equals(content)).toBe(true);
    const last = lines.length - 1;
    const files: (readonly string[])[] = [
      lines.slice(1),
      lines.slice(0, -1),
      [],
      [lines[1]!, lines[0]!, ...lines.slice(2)],
      [lines[0]!, ...lines],
      [...lines, lines[last]!],
      lines.with(last, lines[last]!.replace('["z"', '["e"')),
      lines.with(0, lines[0]!.replace('["e"', '["z"')),
      lines.with(0, '["e",""]'),
      lines.with(0, '["d","test.items","k","e",{}]'),
      lines.with(
        0,
        lines[0]!.replace(/[A-Z]/, (letter) => (letter === 'A' ? 'B' : 'A')),
      ),
    ];
    for (const each of files)
      await expect(read(each)).rejects.toMatchObject({
        code: expect.stringMatching(/^SnapshotFile(Malformed|Incomplete)$/),
      });
    await expect(read(lines, Vault.withRandomKey())).rejects.toMatchObject({ code: 'SnapshotFileIncomplete' });
  });
});

describe.each([
  // Deriving a key from a passphrase is slow by design.
  ['a passphrase', () => locked, 10],
  ['no secrets', () => portable, 40],
])('a file with %s', (_form, file, samples) => {
  test('is refused, or is what it was, wherever a byte of it is changed', async () => {
    const whole = file();
    const { snapshot } = await take(whole);
    await other.snapshots.delete('taken');
    for (let i = 0; i < samples; i++) {
      const at = Math.floor((whole.length * i) / samples);
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 0x10;
      const taken = await take(changed).catch((error) => error);
      // A few bytes of gzip record when and by which program it was packed; changing them has no effect.
      if ('snapshot' in taken) {
        expect(taken.snapshot.counts).toEqual(snapshot.counts);
        await other.snapshots.delete('taken');
      } else expect(taken).toMatchObject({ status: 400, code: expect.stringMatching(/Snapshot|WrongPassphrase/) });
    }
    await nothingIsLeft();
  });

  test('is refused wherever it is cut off', async () => {
    const whole = file();
    for (let i = 0; i < samples / 2; i++) {
      const cut = whole.subarray(0, Math.floor((whole.length * i) / (samples / 2)));
      await expect(take(Buffer.from(cut))).rejects.toMatchObject({ status: 400 });
    }
    await expect(take(whole.subarray(0, -1))).rejects.toMatchObject({ status: 400 });
    await nothingIsLeft();
  });

  test('comes in twice, over what has its name, and at the same time as itself', async () => {
    expect(await take(file())).toMatchObject({ created: true });
    expect(await take(file())).toMatchObject({ created: false });
    const both = await Promise.all([take(file()), take(file()), take(file(), PASSPHRASE, 'beside')]);
    expect(both.map(({ created }) => created)).toEqual([false, false, true]);
    const listed = await other.snapshots.list();
    expect(listed.map(({ name, imported }) => [name, imported])).toEqual([
      ['beside', true],
      ['taken', true],
    ]);
    await expect.poll(() => other.store.count(drafts)).toBe(0);
    expect(await other.store.count(chunks)).toBe(listed.reduce((sum, each) => sum + each.chunks, 0));
    for (const { name } of listed) {
      await other.snapshots.restore(name);
      expect(await other.store.count(items)).toBe(LARGE + 2);
      await other.snapshots.delete(name);
    }
  });

  test('is refused by a release that does not know its format, with its version', async () => {
    const [header = '', ...lines] = linesIn(file());
    const newer = pack([JSON.stringify({ ...JSON.parse(header), format: 5, version: '9.9.9' }), ...lines]);
    await expect(take(newer)).rejects.toMatchObject({
      code: 'SnapshotFormatNewer',
      message: expect.stringContaining('made by release 9.9.9'),
    });
  });
});

test('a file without secrets has empty ones where they were sealed, and says where', async () => {
  const text = linesIn(portable).join('\n');
  expect(replaceSealed(text, first.vault, () => 'FOUND')).not.toContain('FOUND');
  const { leftOut } = await take(portable);
  expect(leftOut).toEqual([
    {
      what: 'secrets in documents of test.items',
      count: 2,
      names: ['nested', 'sealed'],
      afterwards: 'They are empty now: set them again where they are used',
    },
  ]);
  await other.snapshots.restore('taken');
  const note = async (key: string): Promise<string> => (await other.store.get(items, key))?.value.note ?? '';
  expect(other.vault.open(await note('sealed'))).toBe('');
  expect(other.vault.open(JSON.parse(await note('nested')).deep)).toBe('{}');
  await other.snapshots.delete('taken');
});

describe('a file without secrets that no jar has written', () => {
  const rewritten = (change: (line: string, marker: string) => string): Buffer => {
    const [header = '', ...lines] = linesIn(portable);
    const { marker } = JSON.parse(header);
    const content = lines.slice(0, -1).map((line) => change(line, marker));
    const sha256 = createHash('sha256')
      .update(content.map((line) => `${line}\n`).join(''))
      .digest('hex');
    return pack([header, ...content, JSON.stringify({ ...JSON.parse(lines.at(-1) ?? ''), sha256 })]);
  };

  test('is refused for a document that new secrets cannot be put into', () => {
    const states = collection<{ readonly sealed: string }>('test.states', {
      secrets: {
        what: 'states',
        afterwards: 'They are new',
        remove: () => undefined,
        renew: (state, sealer, key) => [key, { sealed: sealer.seal(JSON.parse(state.sealed).address.href) }],
      },
    });
    const renewer = new SecretsRenewer(other.vault, new Map([[states.name, states]]), `sealed${'0'.repeat(32)}`);
    for (const sealed of ['{', 5, null, '{}'])
      expect(() => renewer.line(JSON.stringify(['d', states.name, 'k', 'e', { sealed }]))).toThrow(
        expect.objectContaining({ code: 'SnapshotFileMalformed', message: expect.stringContaining("'test.states'") }),
      );
  });

  test('is refused for a line that would take long to seal', async () => {
    const file = rewritten((line, marker) =>
      line.replace(/"note":"[^"]*"/, `"note":"${`${marker}t `.repeat(20_000)}"`),
    );
    await expect(take(file)).rejects.toMatchObject({
      code: 'SnapshotFileMalformed',
      message: expect.stringContaining('more than 10000 secrets'),
    });
    await nothingIsLeft();
  });

  test('has no names that a terminal takes for commands', () => {
    const line = leftOutLine({
      what: 'a\u001b[2J',
      count: 2,
      names: ['\u001b]0;x\u0007', 'b\nc\u202e'],
      afterwards: 'Über',
    });
    expect(line).toBe('a\ufffd[2J: 2 (\ufffd]0;x\ufffd, b\ufffdc\ufffd). Über.');
  });
});

test('a file for the same key says in another jar how to export one that opens there', async () => {
  await expect(take(await fileOf({}))).rejects.toMatchObject({
    code: 'OtherSecretKey',
    message: expect.stringMatching(/--passphrase-file.*--portable/),
  });
});

test('sealed values are found between any characters that cannot be in one', () => {
  const [from, to] = [Vault.withRandomKey(), Vault.withRandomKey()];
  for (const plain of ['', 'x', 'ü'.repeat(300), '{"a":1}'])
    for (const around of ['"', "'", '/', ' ', '\\"', ':', '='])
      expect(to.tryOpen(resealed(`${around}${from.seal(plain)}${around}`, from, to).replaceAll(around, ''))).toBe(
        plain,
      );
  const strange = Vault.withRandomKey().seal('of a third');
  expect(resealed(strange, from, to)).toBe(strange);
});
