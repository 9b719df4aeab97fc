import { useMemo } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { type Query, withQuery } from '../../shared/list/pages.ts';
import type { Signal } from '../../shared/live/signals.ts';

/** The API of the data platform in one workspace. */
export interface Platform {
  /** Begins the keys of all data that was read here, so that workspaces do not share any. */
  readonly key: string;
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  post<T = object>(path: string, body: unknown, signal?: AbortSignal): Promise<T>;
  send<T = object>(method: 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T>;
}

/** The search parameter that names the workspace; without it, calls go to the default workspace. */
export const WORKSPACE_PARAM = 'workspace';

export function platformIn(workspace: string | undefined): Platform {
  const headers: Readonly<Record<string, string>> =
    workspace === undefined ? {} : { 'x-databricks-workspace-id': workspace };
  const ask = async <T>(path: string, request: Parameters<typeof askService>[1]): Promise<T> =>
    (await askService<T>(path, { ...request, headers })).body;
  return {
    key: `platform ${workspace ?? ''}`,
    get: (path, query = {}, signal) => ask(withQuery(path, query), signal ? { signal } : {}),
    post: (path, body, signal) => ask(path, { method: 'POST', body, ...(signal && { signal }) }),
    send: (method, path, body) => ask(path, { method, ...(body !== undefined && { body }) }),
  };
}

/** The API in the workspace that the address names. */
export function usePlatform(): Platform {
  const [workspace] = useAddressParam(WORKSPACE_PARAM);
  return useMemo(() => platformIn(workspace), [workspace]);
}

/** A write below one of these paths in any version of the API can change the data that depends on the signals. */
export const writesTo = (...paths: readonly string[]): readonly Signal[] =>
  paths.flatMap((path): Signal[] => [
    `/api/2.2/${path}`,
    `/api/2.1/${path}`,
    `/api/2.0/${path}`,
    `/${path}`,
    `/ajax-api/2.0/${path}`,
  ]);

const MOST_PAGES = 20;

interface PageOf {
  readonly next_page_token?: string | undefined;
}

/** All pages of a list, as far as a person can look through them; `isCut` if there are more. */
export async function allPages<Page extends PageOf, Row>(
  read: (token: string | undefined) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[] | undefined,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await read(token);
    rows.push(...(rowsOf(page) ?? []));
    token = page.next_page_token;
    if (token === undefined || token === '') return { rows, isCut: false };
  }
  return { rows, isCut: true };
}
