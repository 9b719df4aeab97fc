import { collection, text } from '../store/collection.ts';
import type { Store } from '../store/types.ts';

/** Tenants, the people in them and the applications that act for people or for themselves. */

export interface Tenant {
  id: string;
  /** `vendor.example` */
  domain: string;
  displayName: string;
}

export interface User {
  id: string;
  tenantId: string;
  /** Short name that `cloudjar token --user` takes; unique in the jar. */
  alias: string;
  /** `admin@vendor.example` */
  username: string;
  displayName: string;
  givenName?: string;
  surname?: string;
  /** Ids of further tenants that let the user in, as a guest; those that take the user's tokens take the ids of the same user. */
  guestOf?: string[];
  /** Scrypt hash; absent for the seeded users, whose password is the jar's seed password. */
  passwordHash?: string;
  /** What services want to know of a person (a licence, a permission), by their own names. */
  attributes: Record<string, string | boolean>;
}

export interface Application {
  /** The client id. */
  id: string;
  /** Object id of its service identity. */
  objectId: string;
  tenantId: string;
  alias: string;
  displayName: string;
  /** SHA-256 of the secret; absent and confidential: the jar's seed secret; absent and public: it has none. */
  secretHash?: string;
  /** Certificates (PEM) whose keys sign what it proves itself with instead of a secret. */
  certificates?: string[];
  /** A public client (a page, a command line) proves nothing about itself. */
  public: boolean;
  implicit: boolean;
  redirectUris: string[];
}

const lower = (value: string): string => value.toLowerCase();

export const tenants = collection<Tenant>('auth.tenants', {
  fields: { domain: text((tenant) => lower(tenant.domain)) },
  indexes: [['domain']],
  cached: true,
});

export const users = collection<User>('auth.users', {
  fields: { alias: text((user) => lower(user.alias)), username: text((user) => lower(user.username)) },
  indexes: [['alias'], ['username']],
  cached: true,
  secrets: {
    what: 'passwords of users',
    afterwards: 'They have the password of the seed now; PUT /_jar/users/{id} sets one',
    name: ({ username }) => username,
    remove: (user) => {
      const { passwordHash, ...rest } = user;
      return passwordHash === undefined ? user : rest;
    },
  },
});

export const applications = collection<Application>('auth.applications', {
  fields: { alias: text((app) => lower(app.alias)) },
  indexes: [['alias']],
  cached: true,
  secrets: {
    what: 'client secrets of applications',
    afterwards: 'They have the secret of the seed now; PUT /_jar/applications/{id} sets one',
    name: ({ alias }) => alias,
    remove: (application) => {
      const { secretHash, ...rest } = application;
      return secretHash === undefined ? application : rest;
    },
  },
});

export class Directory {
  readonly #store: Store;
  constructor(store: Store) {
    this.#store = store;
  }

  async tenant(idOrDomain: string): Promise<Tenant | undefined> {
    const key = lower(idOrDomain);
    return (await this.#store.cached(tenants, key))?.value ?? this.#first(tenants, 'domain', key);
  }

  async user(id: string): Promise<User | undefined> {
    return (await this.#store.cached(users, lower(id)))?.value;
  }

  /** By object id, alias or sign-in name. */
  async findUser(name: string): Promise<User | undefined> {
    const key = lower(name.trim());
    return (await this.user(key)) ?? (await this.#first(users, 'alias', key)) ?? this.#first(users, 'username', key);
  }

  /** By client id or alias. */
  async findApplication(name: string): Promise<Application | undefined> {
    const key = lower(name);
    return (await this.#store.cached(applications, key))?.value ?? this.#first(applications, 'alias', key);
  }

  async #first<T>(
    from: Parameters<Store['query']>[0] & { fields: object },
    field: string,
    value: string,
  ): Promise<T | undefined> {
    const page = await this.#store.query(from, { filter: { op: 'eq', field, value }, limit: 1 });
    return page.items[0]?.value as T | undefined;
  }
}
