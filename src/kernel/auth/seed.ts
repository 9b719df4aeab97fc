import { Type } from 'typebox';
import type { SeedSection } from '../service.ts';
import { type Application, applications, type Tenant, tenants, type User, users } from './directory.ts';

export const SEED_TENANT = '10000000-0000-4000-8000-000000000001';
export const OTHER_TENANT = '20000000-0000-4000-8000-000000000001';

const domainOf: Record<string, string> = { [SEED_TENANT]: 'vendor.example', [OTHER_TENANT]: 'other.example' };

const person = (
  id: string,
  tenantId: string,
  alias: string,
  displayName: string,
  attributes: User['attributes'],
): User => ({
  id,
  tenantId,
  alias,
  username: `${alias}@${domainOf[tenantId]}`,
  displayName,
  attributes,
});

/** What an identity provider has on the first day. Services read the attributes they know. */
const defaults: { tenants: Tenant[]; users: User[]; applications: Application[] } = {
  tenants: [
    { id: SEED_TENANT, domain: 'vendor.example', displayName: 'Vendor Example' },
    { id: OTHER_TENANT, domain: 'other.example', displayName: 'Other Example' },
  ],
  users: [
    person('10000000-0000-4000-8000-000000000011', SEED_TENANT, 'admin', 'Ada Admin', {
      licensed: true,
      jobQueue: true,
      administrator: true,
    }),
    person('10000000-0000-4000-8000-000000000012', SEED_TENANT, 'licensed', 'Lin Licensed', {
      licensed: true,
      jobQueue: true,
    }),
    person('10000000-0000-4000-8000-000000000013', SEED_TENANT, 'delegated-admin', 'Dee Delegated', {
      delegatedAdmin: true,
      jobQueue: true,
    }),
    person('10000000-0000-4000-8000-000000000014', SEED_TENANT, 'no-job-queue', 'Noa Jobless', {
      licensed: true,
      jobQueue: false,
    }),
    person('20000000-0000-4000-8000-000000000011', OTHER_TENANT, 'other', 'Otto Other', {
      licensed: true,
      jobQueue: true,
      administrator: true,
    }),
  ],
  applications: [
    {
      id: '10000000-0000-4000-8000-0000000000a1',
      objectId: '10000000-0000-4000-8000-0000000000a2',
      tenantId: SEED_TENANT,
      alias: 'app',
      displayName: 'Sample application',
      public: false,
      implicit: false,
      redirectUris: ['http://localhost:3000/', 'https://localhost:3000/'],
    },
    {
      id: '10000000-0000-4000-8000-0000000000b1',
      objectId: '10000000-0000-4000-8000-0000000000b2',
      tenantId: SEED_TENANT,
      alias: 'page',
      displayName: 'Sample page',
      public: true,
      implicit: true,
      redirectUris: ['http://localhost:3000/', 'http://localhost:5173/', 'http://localhost:8080/'],
    },
    {
      // The client id that developer command lines present when no other is configured.
      id: '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
      objectId: '10000000-0000-4000-8000-0000000000c2',
      tenantId: SEED_TENANT,
      alias: 'command-line',
      displayName: 'Command line',
      public: true,
      implicit: false,
      redirectUris: ['http://localhost'],
    },
  ],
};

const Guid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

const schema = Type.Object({
  tenants: Type.Array(Type.Object({ id: Guid, domain: Type.String(), displayName: Type.String() })),
  users: Type.Array(
    Type.Object({
      id: Guid,
      tenantId: Guid,
      alias: Type.String({ minLength: 1 }),
      username: Type.String({ minLength: 1 }),
      displayName: Type.String(),
      attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
    }),
  ),
  applications: Type.Array(
    Type.Object({
      id: Guid,
      objectId: Guid,
      tenantId: Guid,
      alias: Type.String({ minLength: 1 }),
      displayName: Type.String(),
      public: Type.Boolean(),
      implicit: Type.Boolean(),
      redirectUris: Type.Array(Type.String()),
    }),
  ),
});

export const directorySeed: SeedSection = {
  schema,
  defaults,
  async apply(tx, section) {
    const seed = section as typeof defaults;
    for (const tenant of seed.tenants) await tx.put(tenants, tenant.id.toLowerCase(), tenant);
    for (const user of seed.users) await tx.put(users, user.id.toLowerCase(), user);
    for (const application of seed.applications) await tx.put(applications, application.id.toLowerCase(), application);
  },
};
