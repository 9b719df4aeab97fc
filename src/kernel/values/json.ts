/** Deeply read-only: values read from the store may be shared with its cache, and values passed to it may be written later. */
export type Json = null | boolean | number | string | JsonList | JsonMembers;
export type JsonList = readonly Json[];
export type JsonMembers = { readonly [key: string]: Json | undefined };
