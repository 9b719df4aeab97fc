import { errorTable } from '../http/errors.ts';
import { isEarlier } from '../store/release.ts';

/** Errors of the snapshot API. A refused request has changed nothing. */
export const snapshotErrors = errorTable({
  SnapshotNotFound: [404, "There is no snapshot '{name}'; there are {known}."],
  BadSnapshotName: [
    400,
    "'{name}' cannot be the name of a snapshot: give 1 to 64 letters, digits, '-', '_' or '.', of which the first is a letter or a digit.",
  ],
  ReservedSnapshotName: [
    400,
    "'{name}' cannot be the name of a snapshot, because it is the address of their comparison.",
  ],
  UnknownCollection: [400, "There is no collection '{name}', neither in this release nor in the snapshots."],
  SnapshotReplaced: [409, "The snapshot '{name}' was replaced or deleted while it was compared; compare again."],
  SnapshotInterrupted: [
    409,
    "The snapshot '{name}' was not finished: it was considered abandoned and was removed meanwhile.",
  ],
  SnapshotDamaged: [409, "The snapshot '{name}' cannot be restored, and nothing was changed: {reason}."],
  SnapshotFileMissing: [400, 'The request has no body; send the file that an export has returned.'],
  SnapshotFileMalformed: [400, 'This is not a snapshot file: {reason}.'],
  SnapshotFileIncomplete: [400, 'The snapshot file is cut off or damaged: {reason}.'],
  SnapshotFormatNewer: [
    400,
    'The file has snapshot format {found}, made by release {version}; this release ({own}) knows up to {known}.',
  ],
  SnapshotNeedsRelease: [
    409,
    'The snapshot can be used by release {oldest} and later; this is release {own}. Nothing was changed.',
  ],
  OtherSecretKey: [
    409,
    'The file comes from a jar with another secret key, so its encrypted values cannot be used here. Export it there again with a passphrase (cloudjar snapshot export NAME FILE --passphrase-file P), or without secrets (--portable), and it opens in any jar. Or start this jar with CLOUDJAR_SECRET_KEY set to the content of secret.key of the jar that made it.',
  ],
  BadPassphrase: [400, 'This cannot be the passphrase of a snapshot file: {reason}.'],
  PassphraseNeeded: [
    400,
    'The file was exported with a passphrase: give it (--passphrase-file, CLOUDJAR_PASSPHRASE, the option passphrase of startJar, or the header Cloudjar-Passphrase). Nothing was changed.',
  ],
  WrongPassphrase: [
    400,
    'The passphrase is not that of the file, or the header of the file was changed. Nothing was changed.',
  ],
  PassphraseOrPortable: [
    400,
    'A file without secrets has nothing to encrypt: give either a passphrase or portable, not both.',
  ],
});

/** Call before using any content of a snapshot: its documents may have versions that this release does not know. */
export function refuseTooOld(oldest: string | undefined, own: string): void {
  if (oldest !== undefined && isEarlier(own, oldest)) throw snapshotErrors.SnapshotNeedsRelease({ oldest, own });
}
