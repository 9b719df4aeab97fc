import type { Jar } from '../../../kernel/service/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import { RangeSet } from './addresses.ts';
import { type IpGuard, ipGuards } from './collections.ts';

/** The lists of a scope, prepared for lookups. */
export class GuardRanges {
  readonly #allow: RangeSet;
  readonly #block: RangeSet;

  constructor({ allow, block }: Pick<IpGuard, 'allow' | 'block'>) {
    this.#allow = new RangeSet(allow);
    this.#block = new RangeSet(block);
  }

  /** Block lists take precedence; then, if there are allow lists, the address must be in one of them. */
  admits(address: string): boolean {
    if (this.#block.has(address)) return false;
    return this.#allow.isEmpty || this.#allow.has(address);
  }
}

const REMEMBERED = 1000;

/** The IP access lists of workspaces and accounts, cached until they change. */
export class AddressGuards {
  readonly #jar: Pick<Jar, 'store'>;
  readonly #known = new Map<string, { readonly etag: string; readonly ranges: GuardRanges }>();

  constructor(jar: Pick<Jar, 'store'>) {
    this.#jar = jar;
  }

  async admits(scope: string, address: string): Promise<boolean> {
    const stored = await this.#jar.store.cached(ipGuards, scope);
    return !stored?.value.enforced || this.#rangesOf(scope, stored).admits(address);
  }

  #rangesOf(scope: string, { etag, value }: Stored<IpGuard>): GuardRanges {
    const known = this.#known.get(scope);
    if (known?.etag === etag) return known.ranges;
    const ranges = new GuardRanges(value);
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(scope, { etag, ranges });
    return ranges;
  }

  forget(): void {
    this.#known.clear();
  }
}
