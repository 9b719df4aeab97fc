import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Adds a jar's CA to the CAs that TLS clients of this thread trust by default, while at least one caller needs it. Other changes to the
 * list in the meantime are kept.
 */
export class TrustedAuthority {
  readonly #ca: string;
  readonly #holders = new Set<symbol>();

  constructor(ca: string) {
    this.#ca = ca;
  }

  /** The returned function ends this trust, once. */
  trust(): () => void {
    const holder = Symbol();
    // Node stores a certificate once, however often it is added.
    if (this.#holders.size === 0) setDefaultCACertificates([...getCACertificates('default'), this.#ca]);
    this.#holders.add(holder);
    return () => {
      if (this.#holders.delete(holder) && this.#holders.size === 0) this.#remove();
    };
  }

  /** Ends all remaining trust. */
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

/** Node changes the line breaks of a certificate. */
const withoutBreaks = (pem: string): string => pem.replaceAll(/\s/g, '');
