import { Readable } from 'node:stream';
import type { Answer } from '../../../../../kernel/http/index.ts';
import type { PlatformCall } from '../../../jar.ts';
import type { Securable } from '../../core/securables.ts';
import type { TableVersion } from '../../tables/collections.ts';
import { fileChanges, filePages } from '../../tables/data/files.ts';
import { type Capabilities, capabilitiesOf, capabilityHeaders } from './capabilities.ts';
import { sharingErrors } from './errors.ts';
import { endLine, fileLine, metadataLine, protocolLine } from './lines.ts';
import { LINK_MS } from './links.ts';
import { partitionRule } from './partitions.ts';
import { numberIn, readChanges, readQuery, timeIn } from './request.ts';
import type { SharedTable } from './shared-tables.ts';
import {
  newestVersion,
  requireChanges,
  requireHistory,
  versionBefore,
  versionNumbered,
  versionSince,
} from './versions.ts';

/** Answers about one shared table: metadata, files, changes. */

interface Asked {
  readonly call: PlatformCall;
  readonly recipient: Securable;
  readonly table: SharedTable;
}

export const versionHeaders = ({ version }: TableVersion) => ({ 'delta-table-version': String(version) });

function ndjson(lines: AsyncGenerator<object>, version: TableVersion, capabilities: Capabilities): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      ...versionHeaders(version),
      ...capabilityHeaders(capabilities),
    },
    body: Readable.from(texts(lines), { objectMode: false }),
  };
}

async function* texts(lines: AsyncGenerator<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The newest version, or the first version at or after a time. */
export async function versionAsked({ call, table }: Omit<Asked, 'recipient'>): Promise<TableVersion> {
  const since = timeIn(call, 'startingTimestamp');
  const newest = await newestVersion(call.jar.store, table);
  if (since === undefined) return newest;
  requireHistory(table);
  return versionSince(call.jar.store, table, since);
}

interface At {
  readonly version: TableVersion;
  /** Whether the request named this version. */
  readonly named: boolean;
}

async function versionFor({ call, table }: Omit<Asked, 'recipient'>, number?: number, time?: number): Promise<At> {
  const { store } = call.jar;
  const newest = await newestVersion(store, table);
  if (number === undefined && time === undefined) return { version: newest, named: false };
  if (number !== undefined && time !== undefined)
    throw sharingErrors.INVALID_PARAMETER_VALUE({ reason: 'Please either provide version or timestamp, not both.' });
  requireHistory(table);
  const version =
    number === undefined
      ? await versionBefore(store, table, time as number)
      : await versionNumbered(store, table, number, newest);
  return { version, named: true };
}

export async function metadataAnswer(asked: Omit<Asked, 'recipient'>): Promise<Answer> {
  const { call, table } = asked;
  const capabilities = capabilitiesOf(call);
  const at = await versionFor(asked, numberIn(call, 'version'), timeIn(call, 'timestamp'));
  async function* lines(): AsyncGenerator<object> {
    yield protocolLine(capabilities);
    yield metadataLine(call, table, at.version, { ...capabilities, named: at.named });
  }
  return ndjson(lines(), at.version, { ...capabilities, endStreamAction: false });
}

export async function queryAnswer(asked: Asked): Promise<Answer> {
  const { call, table, recipient } = asked;
  const query = readQuery(call.body);
  if (query.startingVersion !== undefined) {
    requireHistory(table);
    return changedFiles(asked, query.startingVersion, query.endingVersion);
  }
  const capabilities = capabilitiesOf(call);
  const at = await versionFor(asked, query.version, query.timestamp);
  const until = call.jar.clock.now() + LINK_MS;
  const isShown = partitionRule(table.object, recipient);
  async function* lines(): AsyncGenerator<object> {
    yield protocolLine(capabilities);
    yield metadataLine(call, table, at.version, { ...capabilities, named: at.named });
    let rows = 0;
    for await (const page of filePages(call.jar.store, table.chain.target.id, at.version.version)) {
      for (const file of page) {
        if (query.limitHint !== undefined && rows >= query.limitHint) break;
        if (isShown && !isShown(file)) continue;
        rows += file.stats.numRecords;
        const { version, timestamp } = at.version;
        yield fileLine(call, capabilities, { file, until, ...(at.named && { at: { version, timestamp } }) });
      }
    }
    if (capabilities.endStreamAction) yield endLine(until);
  }
  return ndjson(lines(), at.version, capabilities);
}

export async function changesAnswer(asked: Asked): Promise<Answer> {
  const { call, table } = asked;
  requireChanges(table);
  const { store } = call.jar;
  const query = readChanges(call);
  const { startingTimestamp: since, endingTimestamp: till } = query;
  const from = query.startingVersion ?? (await versionSince(store, table, since as number)).version;
  const to =
    query.endingVersion ?? (till === undefined ? undefined : (await versionBefore(store, table, till)).version);
  return changedFiles(asked, from, to);
}

/** The files that a range of versions added and removed. */
async function changedFiles({ call, table, recipient }: Asked, from: number, to: number | undefined): Promise<Answer> {
  const { store, clock } = call.jar;
  const capabilities = capabilitiesOf(call);
  const newest = await newestVersion(store, table);
  const start = await versionNumbered(store, table, from, newest);
  const end = to === undefined ? newest : await versionNumbered(store, table, to, newest);
  if (end.version < start.version)
    throw sharingErrors.INVALID_PARAMETER_VALUE({
      reason: `The versions ${start.version} to ${end.version} are not a valid range: the end is before the start.`,
    });
  const until = clock.now() + LINK_MS;
  const isShown = partitionRule(table.object, recipient);
  async function* lines(): AsyncGenerator<object> {
    yield protocolLine(capabilities);
    yield metadataLine(call, table, end, { ...capabilities, named: true });
    for (const { file, version, timestamp, change } of await fileChanges(
      store,
      table.chain.target.id,
      start.version,
      end.version,
    )) {
      if (isShown && !isShown(file)) continue;
      yield fileLine(call, capabilities, { file, until, at: { version, timestamp }, as: change });
    }
    if (capabilities.endStreamAction) yield endLine(until);
  }
  return ndjson(lines(), start, capabilities);
}
