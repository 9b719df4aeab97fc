import type { Jar } from '../../../kernel/service/index.ts';
import { identityVersions } from '../accounts/collections.ts';
import { accountIdOf, byObject } from '../accounts/found-account.ts';

const REMEMBERED = 10_000;

/** Maps users and applications of the directory to principals. The cache is valid until a principal of the account changes. */
export class PrincipalsByObject {
  readonly #jar: Pick<Jar, 'store'>;
  readonly #accounts = new Map<string, string>();
  readonly #known = new Map<string, { readonly version: string; readonly id: string }>();

  constructor(jar: Pick<Jar, 'store'>) {
    this.#jar = jar;
  }

  /** The account id is derived from the tenant id. */
  accountIdOf(tenantId: string): string {
    const known = this.#accounts.get(tenantId);
    if (known !== undefined) return known;
    const id = accountIdOf(tenantId);
    if (this.#accounts.size >= REMEMBERED) this.#accounts.clear();
    this.#accounts.set(tenantId, id);
    return id;
  }

  async of(accountId: string, objectId: string): Promise<string | undefined> {
    const { store } = this.#jar;
    const version = (await store.cached(identityVersions, accountId))?.etag ?? '';
    const key = `${accountId}/${objectId.toLowerCase()}`;
    const known = this.#known.get(key);
    if (known?.version === version) return known.id;
    const id = (await byObject(store, accountId, objectId))?.id;
    if (id === undefined) return undefined;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, { version, id });
    return id;
  }

  forget(): void {
    this.#known.clear();
  }
}
