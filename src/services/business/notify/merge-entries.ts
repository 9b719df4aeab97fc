import { isoTime } from '../../../kernel/time/index.ts';
import type { QueuedEntry } from './collections.ts';
import { LEEWAY_MS } from './entries.ts';
import type { Threshold } from './thresholds.ts';

/** Properties of a subscription that merging needs. */
export interface MergeRules extends Threshold {
  readonly resource: string;
  readonly showsLastModified: boolean;
}

export interface Merged {
  /** In order, grouped by subscription. */
  readonly entries: readonly QueuedEntry[];
  /** Subscriptions whose entries became one collection entry. */
  readonly gathered: readonly string[];
  /** Resources of updates that were coalesced with an earlier one, by subscription. */
  readonly coalesced: ReadonlyMap<string, readonly string[]>;
}

/**
 * Merges entries that were not accepted yet with later ones, as if all had been made in one window. Each entry keeps the run that first
 * sent it; merged entries get the earliest.
 */
export function mergeEntries(
  all: readonly QueuedEntry[],
  rulesOf: (subscriptionId: string) => MergeRules | undefined,
): Merged {
  const coalesced = new Map<string, string[]>();
  const parts = [...bySubscription(all)].map(([id, entries]) => {
    const merged: string[] = [];
    const part = { id, entries: coalesce(entries, merged), rules: rulesOf(id) };
    if (merged.length > 0) coalesced.set(id, merged);
    return part;
  });
  const together = parts.reduce((sum, { entries }) => sum + entries.length, 0);
  const gathered: string[] = [];
  const entries = parts.flatMap(({ id, entries: own, rules }) => {
    const isCollection = own.some(({ changeType }) => changeType === 'collection');
    const count = rules?.perAddress ? together : own.length;
    if (!rules || (own.length === 1 && isCollection) || (!isCollection && count <= rules.most)) return own;
    gathered.push(id);
    return [asCollection(own, rules)];
  });
  return { entries, gathered, coalesced };
}

function bySubscription(all: readonly QueuedEntry[]): Map<string, QueuedEntry[]> {
  const groups = new Map<string, QueuedEntry[]>();
  for (const entry of all) {
    const group = groups.get(entry.subscriptionId);
    if (group) group.push(entry);
    else groups.set(entry.subscriptionId, [entry]);
  }
  return groups;
}

/**
 * Coalesces an update with the previous update of the same entity, if nothing else happened to the entity in between; the result has the
 * position and the time of the later one.
 */
function coalesce(entries: readonly QueuedEntry[], merged: string[]): QueuedEntry[] {
  const kept = new Set<QueuedEntry>();
  const last = new Map<string, QueuedEntry>();
  for (const entry of entries) {
    const { resource, changeType } = entry;
    const before = last.get(resource);
    let next = entry;
    if (before && changeType === 'updated' && before.changeType === 'updated') {
      kept.delete(before);
      merged.push(resource);
      next = withRun(entry, before.run);
    }
    kept.add(next);
    last.set(resource, next);
  }
  return [...kept];
}

/** Without a filter if a delete is among the entries: a filter cannot find deleted records. */
function asCollection(entries: readonly QueuedEntry[], { resource, showsLastModified }: MergeRules): QueuedEntry {
  const [first] = entries as [QueuedEntry];
  const begins = entries.map(filteredFrom);
  const isFiltered = showsLastModified && begins.every((begin) => begin !== undefined);
  const from = isoTime(Math.min(...begins.map((begin = 0) => begin)));
  const lastAt = Math.max(...entries.map(({ lastModifiedDateTime }) => Date.parse(lastModifiedDateTime)));
  const run = entries.reduce((least, each) => Math.min(least, each.run ?? 0), first.run ?? 0);
  const entry: QueuedEntry = {
    subscriptionId: first.subscriptionId,
    resource: isFiltered ? `${resource}?$filter=lastModifiedDateTime%20gt%20${from}` : resource,
    changeType: 'collection',
    lastModifiedDateTime: isoTime(lastAt),
  };
  return withRun(entry, run);
}

/** Start of a time filter that finds the change of an entry; undefined if no filter can find it. */
function filteredFrom({ changeType, resource, lastModifiedDateTime }: QueuedEntry): number | undefined {
  if (changeType === 'deleted') return undefined;
  if (changeType !== 'collection') return Date.parse(lastModifiedDateTime) - LEEWAY_MS;
  const written = /\?\$filter=lastModifiedDateTime%20gt%20(.+)$/.exec(resource)?.[1];
  return written === undefined ? undefined : Date.parse(written);
}

function withRun({ run: _run, ...entry }: QueuedEntry, run = 0): QueuedEntry {
  return run === 0 ? entry : { ...entry, run };
}
