import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * The authority of a jar among those that TLS clients of this thread trust by default, beside the usual ones, for as long as somebody holds
 * it there. What others add or remove in the meantime stays as they want it.
 */
export class TrustedAuthority {
  readonly #ca: string;
  readonly #holders = new Set<symbol>();

  constructor(ca: string) {
    this.#ca = ca;
  }

  /** The function that it gives takes this one trust back, once. */
  trust(): () => void {
    const holder = Symbol();
    // Node keeps a certificate once, however often it is added.
    if (this.#holders.size === 0) setDefaultCACertificates([...getCACertificates('default'), this.#ca]);
    this.#holders.add(holder);
    return () => {
      if (this.#holders.delete(holder) && this.#holders.size === 0) this.#remove();
    };
  }

  /** Takes back what is left. */
  distrust(): void {
    if (this.#holders.size === 0) return;
    this.#holders.clear();
    this.#remove();
  }

  #remove(): void {
    const own = withoutBreaks(this.#ca);
    setDefaultCACertificates(getCACertificates('default').filter((each) => withoutBreaks(each) !== own));
  }
}

/** Node breaks the lines of a certificate anew. */
const withoutBreaks = (pem: string): string => pem.replaceAll(/\s/g, '');
