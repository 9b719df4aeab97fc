import { collection, text } from '../store/collection.ts';
import type { Store } from '../store/types.ts';

/** Tenants, their users, and the applications that act for users or for themselves. */

export interface Tenant {
  id: string;
  /** `vendor.example` */
  domain: string;
  displayName: string;
}

export interface User {
  id: string;
  tenantId: string;
  /** Short name for `cloudjar token --user`; unique in the jar. */
  alias: string;
  /** `admin@vendor.example` */
  username: string;
  displayName: string;
  givenName?: string;
  surname?: string;
  /** Ids of other tenants in which the user is a guest. The user keeps the same object id in all of them. */
  guestOf?: string[];
  /** Scrypt hash; absent for seeded users, whose password is the jar's seed password. */
  passwordHash?: string;
  /** A disabled user keeps everything, and cannot sign in. */
  enabled?: false;
  /** Attributes that services define, for example a licence or a permission. */
  attributes: Record<string, string | boolean>;
}

export interface Application {
  /** Client id. */
  id: string;
  /** Object id of the service principal. */
  objectId: string;
  tenantId: string;
  alias: string;
  displayName: string;
  /** SHA-256 of the secret. If absent, a confidential client has the jar's seed secret and a public client has none. */
  secretHash?: string;
  /** Certificates (PEM) for authentication with a signed assertion instead of a secret. */
  certificates?: string[];
  /** A public client (a web page, a command line) does not authenticate itself. */
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
    afterwards: 'They now have the seed password; PUT /_jar/users/{id} sets another',
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
    afterwards: 'They now have the seed secret; PUT /_jar/applications/{id} sets another',
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

  /** Finds a user by object id, alias or sign-in name. */
  async findUser(name: string): Promise<User | undefined> {
    const key = lower(name.trim());
    return (await this.user(key)) ?? (await this.#first(users, 'alias', key)) ?? this.#first(users, 'username', key);
  }

  /** Finds an application by client id or alias. */
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
