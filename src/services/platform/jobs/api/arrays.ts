import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { isList } from '../../../../kernel/values/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { invalid } from '../settings/rules.ts';

/** Version 2.2 returns at most this many entries of an array in one response. */
export const ENTRIES = 100;

export interface ArrayPage {
  readonly from: number;
  /** Binds a page token to the object that is read. */
  readonly list: string;
}

/** The page of array entries that a call for one object requests. */
export function arrayPage(call: PlatformCall, of: string): ArrayPage {
  const { page_token: token } = call.query;
  const list = JSON.stringify(['arrays', workspaceIn(call).id, of]);
  if (typeof token !== 'string' || token === '') return { from: 0, list };
  const place = decodeSkipToken<{ readonly from: number }>(call.jar.vault, list, token);
  if (!place) throw invalid("The parameter 'page_token' is not a page token of this object.");
  return { from: place.from, list };
}

export interface CutArrays {
  readonly members: JsonMembers;
  readonly isCut: boolean;
}

/** Reduces these arrays to the entries of one page. An array that earlier pages have shown completely becomes empty. */
export function cutArrays(members: JsonMembers, names: readonly string[], from = 0): CutArrays {
  const cut: Record<string, JsonMembers[string]> = { ...members };
  let isCut = false;
  for (const name of names) {
    const list = members[name];
    if (!isList(list)) continue;
    cut[name] = from === 0 && list.length <= ENTRIES ? list : list.slice(from, from + ENTRIES);
    isCut ||= list.length > from + ENTRIES;
  }
  return { members: cut, isCut };
}

/** `next_page_token` of an object whose arrays have further entries. */
export const nextArrayToken = ({ jar: { vault } }: PlatformCall, { from, list }: ArrayPage): string =>
  encodeSkipToken(vault, list, { from: from + ENTRIES });
