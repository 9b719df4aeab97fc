import { Type } from 'typebox';
import { ConfigError } from '../config/config.ts';
import type { Tx } from '../store/types.ts';
import { readCertificate } from './certificates.ts';
import { type Application, applications, type Tenant, tenants, type User, users } from './directory.ts';
import { hashPassword, sha256 } from './secrets.ts';

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

interface Seed {
  tenants: Tenant[];
  /** Users without a password get the seed password, applications without a secret the seed secret. */
  users: (Omit<User, 'passwordHash'> & { password?: string })[];
  applications: (Omit<Application, 'secretHash'> & { secret?: string })[];
}

/** Initial content of the identity provider. Services read the attributes that they define. */
const defaults: Seed = {
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
      // The default client id of developer command-line tools.
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

const Strict = { additionalProperties: false };
const Secret = Type.String({ minLength: 1, maxLength: 1000 });

const schema = Type.Object(
  {
    tenants: Type.Array(Type.Object({ id: Guid, domain: Type.String(), displayName: Type.String() }, Strict)),
    users: Type.Array(
      Type.Object(
        {
          id: Guid,
          tenantId: Guid,
          alias: Type.String({ minLength: 1 }),
          username: Type.String({ minLength: 1 }),
          displayName: Type.String(),
          givenName: Type.Optional(Type.String()),
          surname: Type.Optional(Type.String()),
          guestOf: Type.Optional(Type.Array(Guid)),
          password: Type.Optional(Secret),
          attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
        },
        Strict,
      ),
    ),
    applications: Type.Array(
      Type.Object(
        {
          id: Guid,
          objectId: Guid,
          tenantId: Guid,
          alias: Type.String({ minLength: 1 }),
          displayName: Type.String(),
          public: Type.Boolean(),
          implicit: Type.Boolean(),
          redirectUris: Type.Array(Type.String()),
          secret: Type.Optional(Secret),
          certificates: Type.Optional(Type.Array(Type.String())),
        },
        Strict,
      ),
    ),
  },
  Strict,
);

/** Cached, because hashing is deliberately slow and a test suite resets a jar many times. */
const hashes = new WeakMap<object, Promise<string>>();

function hashOnce(owner: object, password: string): Promise<string> {
  const hash = hashes.get(owner) ?? hashPassword(password);
  hashes.set(owner, hash);
  return hash;
}

const certificateOf = (application: string) => (text: string) => {
  const read = readCertificate(text);
  if ('pem' in read) return read.pem;
  throw new ConfigError(`the seed has an invalid certificate of the application ${application}: ${read.problem}`);
};

const byId = <T extends { readonly id: string }>(documents: readonly T[]) =>
  documents.map((document): [string, T] => [document.id.toLowerCase(), document]);

export const directorySeed = {
  schema,
  defaults,
  async prepare(content: unknown) {
    const seed = content as Seed;
    const people = await Promise.all(
      seed.users.map(async (given) => {
        const { password, ...user } = given;
        return password === undefined ? user : { ...user, passwordHash: await hashOnce(given, password) };
      }),
    );
    const programs = seed.applications.map(({ secret, ...application }) => ({
      ...application,
      ...(application.certificates && { certificates: application.certificates.map(certificateOf(application.id)) }),
      ...(secret !== undefined && { secretHash: sha256(secret) }),
    }));
    return async (tx: Tx): Promise<void> => {
      await tx.putAll(tenants, byId(seed.tenants));
      await tx.putAll(users, byId(people));
      await tx.putAll(applications, byId(programs));
    };
  },
};
