import type { Reader } from '../../../../../kernel/store/index.ts';
import { isoTime } from '../../../../../kernel/time/index.ts';
import type { TableVersion } from '../../tables/collections.ts';
import { stateOf, versionAt, versionFrom, versionOf } from '../../tables/data/files.ts';
import { sharingErrors } from './errors.ts';
import type { SharedTable } from './shared-tables.ts';

/** Selects the version of a shared table. A share gives access to the newest version, and to earlier ones if it shares the history. */

const invalid = (reason: string) => sharingErrors.INVALID_PARAMETER_VALUE({ reason });

const startOf = ({ object }: SharedTable): number =>
  typeof object.fields.start_version === 'number' ? object.fields.start_version : 0;

export async function newestVersion(reader: Reader, { chain }: SharedTable): Promise<TableVersion> {
  const state = await stateOf(reader, chain.target.id);
  const version = state && (await versionOf(reader, chain.target.id, state.version));
  if (version) return version;
  throw sharingErrors.UNSUPPORTED_OPERATION({
    reason: `'${chain.target.name}' is a ${String(chain.target.fields.table_type).toLowerCase().replaceAll('_', ' ')}, which has no readable files.`,
  });
}

/** Throws unless the share includes the history. */
export function requireHistory({ object, chain }: SharedTable): void {
  if (object.fields.history_data_sharing_status === 'ENABLED' || object.fields.cdf_enabled === true) return;
  throw invalid(
    `Reading table by version or timestamp is not supported because history sharing is not enabled on table: ${chain.target.name}.`,
  );
}

/** Throws unless the share includes changes. */
export function requireChanges({ object, chain }: SharedTable): void {
  if (object.fields.cdf_enabled === true || object.fields.history_data_sharing_status === 'ENABLED') return;
  throw invalid(`cdf is not enabled on table ${chain.target.name}.`);
}

/** Finds a version by number, between the first shared version and the newest. */
export async function versionNumbered(
  reader: Reader,
  table: SharedTable,
  number: number,
  newest: TableVersion,
): Promise<TableVersion> {
  if (number < startOf(table))
    throw invalid(`The version ${number} is before the first shared version, ${startOf(table)}.`);
  const found = number > newest.version ? undefined : await versionOf(reader, table.chain.target.id, number);
  if (found) return found;
  throw invalid(`Cannot load table version ${number}: the newest version is ${newest.version}.`);
}

/** The version that was the newest at a time. */
export async function versionBefore(reader: Reader, table: SharedTable, time: number): Promise<TableVersion> {
  const found = await versionAt(reader, table.chain.target.id, time);
  if (found && found.version >= startOf(table)) return found;
  throw invalid(`The timestamp ${isoTime(time)} is before the earliest shared version.`);
}

/** The first version at or after a time. */
export async function versionSince(reader: Reader, table: SharedTable, time: number): Promise<TableVersion> {
  const found = await versionFrom(reader, table.chain.target.id, time);
  if (found && found.version >= startOf(table)) return found;
  throw invalid(
    found
      ? `The timestamp ${isoTime(time)} is before the earliest shared version.`
      : `The timestamp ${isoTime(time)} is after the newest version of the table.`,
  );
}
