import { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Vault } from '../auth/vault.ts';
import type { Collection } from '../store/types.ts';
import { findMistake } from '../values/find-mistake.ts';
import type { Counts } from './collections.ts';
import { refuseTooOld, snapshotErrors } from './errors.ts';
import { FILE_FORMAT, FileEnd, FileHeader } from './file.ts';
import { bytesOfFrames } from './frames.ts';
import type { LeftOut } from './left-out.ts';
import { linesOfFile, malformed } from './lines.ts';
import { headerProof, openFileVault, sameProof } from './passphrase.ts';
import { resealed } from './sealed-values.ts';
import { EncryptedHeader, PortableHeader, TravellingEnd } from './travelling-file.ts';
import { SecretsRenewer } from './without-secrets.ts';

export interface ReadOptions {
  readonly version: string;
  readonly keyCheck: string;
  readonly vault: Vault;
  readonly collections: ReadonlyMap<string, Collection<never>>;
  /** For a file that is encrypted with a passphrase. */
  readonly passphrase: string | undefined;
}

/** A file with a validated header: this jar can use it if the rest is complete. */
export interface ReadableFile {
  readonly origin: Pick<Static<typeof FileHeader>, 'engine' | 'version' | 'oldest' | 'takenAt'>;
  /** The lines after the header, including the last one. */
  readonly lines: AsyncGenerator<string>;
  /** Converts a line of the content for this jar: its secrets are sealed with this jar's key. */
  adopt(line: string): string;
  /** Parses the last line. */
  readEnd(line: string): Promise<{ sha256: string; counts: Omit<Counts, 'collections'>; leftOut: readonly LeftOut[] }>;
}

export async function readFile(file: Readable, options: ReadOptions): Promise<ReadableFile> {
  const lines = linesOfFile(file);
  try {
    const first = await lines.next();
    if (first.done) throw malformed('it is empty');
    return await readAfter(await readHeader(first.value, options.version), lines, options);
  } catch (error) {
    await lines.return(undefined);
    throw error;
  }
}

async function readHeader(line: string, own: string): Promise<Record<string, unknown>> {
  const header = parsed(line);
  const { cloudjar, format, version } = header;
  if (cloudjar !== 'snapshot') throw malformed('it does not begin with a snapshot header');
  if (typeof format === 'number' && format > FILE_FORMAT) {
    throw snapshotErrors.SnapshotFormatNewer({
      found: format,
      version: String(version).slice(0, 100),
      own,
      known: FILE_FORMAT,
    });
  }
  return header;
}

async function readAfter(
  header: Record<string, unknown>,
  lines: AsyncGenerator<string>,
  options: ReadOptions,
): Promise<ReadableFile> {
  if (header.secrets === 'passphrase') return readEncrypted(header, lines, options);
  if (header.secrets === 'none') return readPortable(header, lines, options);
  const checked = await checkedBy(FileHeader, header, 'header');
  checkOrigin(checked, options);
  if (checked.keyCheck !== options.keyCheck) throw snapshotErrors.OtherSecretKey();
  return {
    origin: checked,
    lines,
    adopt: (line) => line,
    async readEnd(line) {
      const { sha256 } = await checkedBy(FileEnd, parsed(line), 'last line');
      return { sha256, counts: checked.counts, leftOut: [] };
    },
  };
}

async function readEncrypted(
  header: Record<string, unknown>,
  lines: AsyncGenerator<string>,
  { passphrase, vault, version }: ReadOptions,
): Promise<ReadableFile> {
  const { proof, ...signed } = await checkedBy(EncryptedHeader, header, 'header');
  checkOrigin(signed, { version });
  if (passphrase === undefined) throw snapshotErrors.PassphraseNeeded();
  const fileVault = await openFileVault(passphrase, signed.derivation);
  if (!sameProof(headerProof(fileVault, signed), proof)) throw snapshotErrors.WrongPassphrase();
  const inner = linesOfFile(Readable.from(bytesOfFrames(lines, fileVault), { objectMode: false }));
  return { origin: signed, lines: both(inner, lines), adopt: (line) => resealed(line, fileVault, vault), readEnd };
}

async function readPortable(
  header: Record<string, unknown>,
  lines: AsyncGenerator<string>,
  { vault, collections, version }: ReadOptions,
): Promise<ReadableFile> {
  const checked = await checkedBy(PortableHeader, header, 'header');
  checkOrigin(checked, { version });
  const renewer = new SecretsRenewer(vault, collections, checked.marker);
  return { origin: checked, lines, adopt: (line) => renewer.line(line), readEnd };
}

async function readEnd(line: string) {
  const { sha256, counts, leftOut = [] } = await checkedBy(TravellingEnd, parsed(line), 'last line');
  return { sha256, counts, leftOut };
}

/** Returns both generators when it ends, so that the rest of a refused file is drained. */
async function* both(inner: AsyncGenerator<string>, outer: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* inner;
  } finally {
    await outer.return(undefined);
  }
}

function checkOrigin(
  { takenAt, oldest }: { readonly takenAt: string; readonly oldest?: string | undefined },
  { version }: Pick<ReadOptions, 'version'>,
): void {
  if (Number.isNaN(Date.parse(takenAt))) throw malformed('its header has a takenAt that is not a time');
  refuseTooOld(oldest, version);
}

/** Validates a value and returns it with the type of the schema. */
async function checkedBy<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  where: string,
): Promise<Static<Schema>> {
  const mistake = await findMistake(schema, value);
  if (mistake) throw malformed(`its ${where} is wrong: ${mistake.field} ${mistake.reason}`);
  return value as Static<Schema>;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON, so not a snapshot file.
  }
  return {};
}
