/** Read-only all the way down: what was read from the store may be in its cache, and what was given to it may be written later. */
export type Json = null | boolean | number | string | JsonList | JsonMembers;
export type JsonList = readonly Json[];
export type JsonMembers = { readonly [key: string]: Json | undefined };
