/** Encrypts secrets in documents; implemented by the jar's vault. */
export interface Sealer {
  seal(plain: string): string;
  /** Throws if the value was sealed with another key. */
  open(sealed: string): string;
  deriveKey(purpose: string): Buffer;
}

/**
 * Declares the secrets in documents of a collection, for a snapshot file without secrets. `In` and `Out` are both the type of the
 * documents; two parameters allow collections of any type to be handled alike.
 *
 * Sealed values need no declaration to be left out of such a file, because they are recognised with the key that opens them. A declaration
 * is needed for secrets that are not sealed (hashes, codes), and if a document needs special handling without its secret.
 */
export interface SecretsIn<In, Out = In> {
  /** In the plural, for lists of what is missing: `client secrets of applications`. */
  readonly what: string;
  /** A whole sentence: what applies instead, and how to set a new secret. */
  readonly afterwards: string;
  /** The name of the document as people know it. Without it, documents are only counted. */
  name?(document: In): string;
  /** True if the key of the document contains the secret. In a file the key is replaced, and due work that refers to it is left out. */
  readonly secretKey?: boolean;
  /** Returns the document without its secrets, the same object if it has none, or undefined if the document is useless without them. */
  remove(document: In, sealer: Sealer): Out | undefined;
  /** Called for every document when such a file is loaded: generates new secrets, sealed, for those that `remove` has removed. */
  renew?(document: In, sealer: Sealer, key: string): readonly [key: string, document: Out];
}
