/** Type declarations of `cloudjar/client`. The build bundles them into one file. */
export type * from './types/bytes.d.ts';
export * from './types/connect.d.ts';
export type * from './types/deliveries.d.ts';
export * from './types/error.d.ts';
export type * from './types/faults.d.ts';
export type * from './types/inbox.d.ts';
export type * from './types/jar.d.ts';
export type * from './types/limits.d.ts';
export type * from './types/mailbox.d.ts';
