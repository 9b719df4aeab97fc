/** How examples call curl. The certificate of a jar is signed by its own authority, which the machine of the reader may not know. */
export const CURL = location.protocol === 'https:' ? 'curl -k' : 'curl';

/** A text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
