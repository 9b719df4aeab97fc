import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  hierarchySettings,
  MANAGEMENT,
  managementGroupKey,
  managementGroups,
  subscriptions,
} from '../../../src/kernel/arm/index.ts';
import { noContent } from '../../../src/kernel/http/index.ts';
import { route } from '../../../src/kernel/service/index.ts';
import type { Bench, CallOptions, Reply } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';

export const TENANT = '10000000-0000-4000-8000-000000000001';
export const ADA = '10000000-0000-4000-8000-000000000011';
export const LIN = '10000000-0000-4000-8000-000000000012';
export const DEE = '10000000-0000-4000-8000-000000000013';
export const OTTO = '20000000-0000-4000-8000-000000000011';
export const OTHER_TENANT = '20000000-0000-4000-8000-000000000001';
export const NOBODY = '99999999-0000-4000-8000-000000000000';

export const VERSION = '2021-10-01';
export const ALIASES = '/providers/Vendor.Subscription/aliases';

export type Properties = Readonly<Record<string, unknown>>;
export const NEW: Properties = { displayName: 'New', workload: 'Production' };
export const FOR_OTTO: Properties = {
  ...NEW,
  additionalProperties: { subscriptionOwnerId: OTTO, subscriptionTenantId: OTHER_TENANT },
};

/** Shortcuts for calls to the service, as any user of the jar. */
export class Caller {
  readonly #bench: Bench;
  readonly #tokens = new Map<string, string>();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async call(
    user: string,
    method: string,
    path: string,
    options: CallOptions & { version?: string } = {},
  ): Promise<Reply> {
    const { version = VERSION, ...rest } = options;
    const token = this.#tokens.get(user) ?? (await this.#bench.jar.token({ user, ttl: '3650d' }));
    this.#tokens.set(user, token);
    const joint = path.includes('?') ? '&' : '?';
    return this.#bench.call(method, `${path}${joint}api-version=${version}`, { token, ...rest });
  }

  put(name: string, properties: Properties, { user = 'admin', version = VERSION } = {}): Promise<Reply> {
    return this.call(user, 'PUT', `${ALIASES}/${name}`, { version, body: { properties } });
  }

  get(name: string, { user = 'admin', version = VERSION } = {}): Promise<Reply> {
    return this.call(user, 'GET', `${ALIASES}/${name}`, { version });
  }

  /** Creates a subscription and returns its id. */
  async made(name: string, properties = NEW, user = 'admin'): Promise<string> {
    const id = (await this.put(name, properties, { user })).body.properties.subscriptionId;
    await this.#bench.jar.clock.advance('1s');
    return id;
  }

  /** Creates a subscription for another owner, who can accept it, and returns its id. */
  offered = (name: string, properties = FOR_OTTO): Promise<string> => this.made(name, properties);

  accept(id: string, user = 'other', properties: Properties = { displayName: 'Mine' }): Promise<Reply> {
    const path = `/providers/Vendor.Subscription/subscriptions/${id}/acceptOwnership`;
    return this.call(user, 'POST', path, { body: { properties } });
  }

  control(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.#bench.call(method, `/_jar/${path}`, { token: this.#bench.jar.adminKey, body });
  }
}

export const errorOf = (code: string) => ({ error: { code }, code });

const OF = '/_jar/groups-for-tests/{tenant}';

/** Creates and deletes management groups, which the tested service only reads. */
export const GROUPS = wholeService({
  name: 'groups-for-tests',
  title: 'Management groups',
  family: MANAGEMENT,
  mounts: [],
  routes: [],
  control: [
    route({
      method: 'PUT',
      path: `${OF}/{name}`,
      operation: 'Test_PutGroup',
      summary: '',
      async handle({ jar, params: { tenant: tenantId, name } }) {
        const group = { tenantId, name, displayName: name, version: 1, updatedAt: 0, updatedBy: ADA };
        await jar.store.transact((tx) => tx.put(managementGroups, managementGroupKey(tenantId, name), group));
        return noContent();
      },
    }),
    route({
      method: 'DELETE',
      path: `${OF}/{name}`,
      operation: 'Test_DeleteGroup',
      summary: '',
      async handle({ jar, params: { tenant, name } }) {
        await jar.store.transact((tx) => tx.delete(managementGroups, managementGroupKey(tenant, name)));
        return noContent();
      },
    }),
    route({
      method: 'PUT',
      path: `${OF}/{name}/default`,
      operation: 'Test_SetDefaultGroup',
      summary: '',
      async handle({ jar, params: { tenant, name } }) {
        const settings = { defaultManagementGroup: name.toLowerCase(), requireAuthorizationForGroupCreation: false };
        await jar.store.transact((tx) => tx.put(hierarchySettings, tenant, settings));
        return noContent();
      },
    }),
    route({
      method: 'GET',
      path: `${OF}/{name}`,
      operation: 'Test_SubscriptionsOfGroup',
      summary: '',
      async handle({ jar, params: { tenant, name } }) {
        const value = name === 'root' ? null : name.toLowerCase();
        const args = [
          { op: 'eq', field: 'tenantId', value: tenant },
          { op: 'eq', field: 'managementGroup', value },
        ] as const;
        const page = await jar.store.query(subscriptions, { filter: { op: 'and', args }, limit: 100 });
        return { status: 200, body: page.items.map((item) => item.value.subscriptionId) };
      },
    }),
  ],
});

/** A seed file, removed after the tests of the file. */
export function seedFile(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-subscriptions-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}
