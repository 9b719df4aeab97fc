import type { PlatformJar } from '../../jar.ts';

/** For links in messages, which are written without a call that has the host name of the jar. The jar does not serve the linked pages. */
export const originOf = ({ addresses }: Pick<PlatformJar, 'addresses'>): string =>
  `http://127.0.0.1:${addresses.httpPort}`;
