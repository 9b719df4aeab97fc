import { expect } from 'vitest';
import type { Bench, CallOptions, Reply } from '../../support/jars.ts';

export const TENANT = '10000000-0000-4000-8000-000000000001';
export const VERSION = 'api-version=2021-04-01';
export const PROVIDER = '/providers/Vendor.Management';
export const GROUPS = `${PROVIDER}/managementGroups`;

/** The address of a group, or of a path below it. */
export const group = (name: string, below = '', query = ''): string =>
  `${GROUPS}/${name}${below}?${VERSION}${query === '' ? '' : `&${query}`}`;

/** The id of a group as a parent. */
export const idOf = (name: string): string => `${GROUPS}/${name}`;

export const bodyOf = (parent?: string, displayName?: string): object => ({
  properties: {
    ...(displayName !== undefined && { displayName }),
    ...(parent !== undefined && { details: { parent: { id: idOf(parent) } } }),
  },
});

/** Creates groups, each with the name of its parent or undefined, and waits until they exist. */
export async function makeGroups(
  bench: Bench,
  groups: Readonly<Record<string, string | undefined>>,
  options: CallOptions = {},
): Promise<void> {
  for (const [name, parent] of Object.entries(groups)) {
    const { status, body } = await bench.call('PUT', group(name), { ...options, body: bodyOf(parent) });
    expect(status, `${name}: ${JSON.stringify(body)}`).toBe(202);
    await bench.jar.settled();
  }
}

export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly properties: {
    readonly displayName: string;
    readonly parent: { readonly id: string | null };
    readonly permissions: string;
    readonly inheritedPermissions: string;
    readonly numberOfChildren: number;
    readonly numberOfChildGroups: number;
    readonly numberOfDescendants: number;
    readonly parentNameChain: readonly string[];
    readonly parentDisplayNameChain: readonly string[];
  };
}

export const entities = (bench: Bench, query = '', options: CallOptions = {}): Promise<Reply> =>
  bench.call('POST', `${PROVIDER}/getEntities?${VERSION}${query === '' ? '' : `&${query}`}`, options);

/** The names in a list. */
export const namesIn = ({ body }: Reply): string[] => body.value.map(({ name }: { name: string }) => name);
