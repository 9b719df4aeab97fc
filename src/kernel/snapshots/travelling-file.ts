import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import type { Vault } from '../auth/vault.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Counts, Snapshot } from './collections.ts';
import { copyOf, FILE_FORMAT, FileCounts, FileEnd, originMembers, originOf } from './file.ts';
import { framesOf } from './frames.ts';
import { LeftOut } from './left-out.ts';
import { Derivation, headerProof, newFileVault } from './passphrase.ts';
import { contentOf } from './restore.ts';
import { resealed } from './sealed-values.ts';
import { markerOf, SecretsRemover } from './without-secrets.ts';

/** Files for jars with another secret key: encrypted with a passphrase, or without secrets. */

export const EncryptedHeader = Type.Object({
  ...originMembers,
  secrets: Type.Literal('passphrase'),
  derivation: Derivation,
  /** An HMAC of all other members, with the key of the file. */
  proof: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

export const PortableHeader = Type.Object({
  ...originMembers,
  secrets: Type.Literal('none'),
  /** The prefix of the placeholders for sealed values. */
  marker: Type.String({ pattern: '^sealed[0-9a-f]{32}$' }),
});

/** The counts come last, because what is left out is known only after everything was written. */
export const TravellingEnd = Type.Object({
  ...FileEnd.properties,
  counts: FileCounts,
  leftOut: Type.Optional(Type.Array(LeftOut, { maxItems: 1000 })),
});

export interface TravelOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly collections: ReadonlyMap<string, Collection<never>>;
}

/** Encrypts every line. Sealed values are sealed again under the passphrase, because this jar's key must not leave it. */
export async function encryptedFile(
  snapshot: Snapshot,
  passphrase: string,
  { store, vault }: TravelOptions,
): Promise<Readable> {
  const { vault: fileVault, derivation } = await newFileVault(passphrase);
  const origin = { ...originOf(snapshot, FILE_FORMAT), secrets: 'passphrase' as const, derivation };
  const header: Static<typeof EncryptedHeader> = { ...origin, proof: headerProof(fileVault, origin) };
  const content = packed(
    contentOf(store, snapshot),
    (text) => resealed(text, vault, fileVault),
    () => ({
      counts: snapshot.counts,
    }),
  );
  async function* pieces(): AsyncGenerator<Buffer> {
    yield gzipLine(JSON.stringify(header));
    for await (const frame of framesOf(content, fileVault)) yield gzipLine(frame);
  }
  return Readable.from(pieces(), { objectMode: false });
}

export function portableFile(snapshot: Snapshot, { store, vault, collections }: TravelOptions): Readable {
  const marker = markerOf(snapshot.sha256);
  const header: Static<typeof PortableHeader> = { ...originOf(snapshot, FILE_FORMAT), secrets: 'none', marker };
  const remover = new SecretsRemover(vault, collections, marker);
  const withoutSecrets = (text: string): string => {
    let left = '';
    for (const line of text.split('\n').slice(0, -1)) {
      const kept = remover.line(line);
      if (kept !== undefined) left += `${kept}\n`;
    }
    return left;
  };
  const content = packed(contentOf(store, snapshot), withoutSecrets, () => {
    const leftOut = remover.leftOut();
    return { counts: remover.counts(), ...(leftOut.length > 0 && { leftOut }) };
  });
  async function* pieces(): AsyncGenerator<Buffer> {
    yield gzipLine(JSON.stringify(header));
    yield* content;
  }
  return Readable.from(pieces(), { objectMode: false });
}

const compress = promisify(gzip);

/** The rewritten content and the last line, as concatenated gzip members. */
async function* packed(
  content: AsyncIterable<string>,
  rewrite: (lines: string) => string,
  atEnd: () => { readonly counts: Counts; readonly leftOut?: LeftOut[] },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const text of content) {
    const lines = Buffer.from(rewrite(text));
    hash.update(lines);
    if (lines.length > 0) yield await compress(lines);
  }
  const { counts, ...rest } = atEnd();
  const end: Static<typeof TravellingEnd> = { end: true, sha256: hash.digest('hex'), counts: copyOf(counts), ...rest };
  yield gzipLine(JSON.stringify(end));
}

/** Compressed at the fastest level: an encrypted line is random apart from its base64 encoding. */
const gzipLine = (line: string): Buffer => gzipSync(`${line}\n`, { level: constants.Z_BEST_SPEED });
