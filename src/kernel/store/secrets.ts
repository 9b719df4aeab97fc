/** Encrypts what documents keep secret; the jar's vault is one. */
export interface Sealer {
  seal(plain: string): string;
  /** Throws when it was sealed under another key. */
  open(sealed: string): string;
  deriveKey(purpose: string): Buffer;
}

/**
 * What the documents of a collection keep secret, for a snapshot file that travels without secrets. `In` and `Out` are both the type of the
 * documents; a collection of any type is handled without knowing it.
 *
 * Sealed values need no declaration to be left out of such a file, since they are recognised by the key that opens them. A declaration is needed for
 * what is secret and not sealed (hashes, codes), and where a document has to do without its secret in a way of its own.
 */
export interface SecretsIn<In, Out = In> {
  /** In the plural, for lists of what did not come along: `client secrets of applications`. */
  readonly what: string;
  /** What holds instead, and how to set a new one, as a whole sentence. */
  readonly afterwards: string;
  /** How people know the document. Absent where the document has no name for people; then the documents are only counted. */
  name?(document: In): string;
  /** The key of the document is made of the secret. In a file it is replaced, and due work that names it is left out. */
  readonly secretKey?: boolean;
  /** The document without its secrets; the same object where it has none; undefined where the document is of no use without them. */
  remove(document: In, sealer: Sealer): Out | undefined;
  /** Called for every document of such a file when it comes in: puts new secrets, sealed, where `remove` took some away. */
  renew?(document: In, sealer: Sealer, key: string): readonly [key: string, document: Out];
}
