import type { PlatformJar } from '../../jar.ts';

/** For links in messages, which are written where no call says by which name the jar is reached. There are no such pages here. */
export const originOf = ({ addresses }: Pick<PlatformJar, 'addresses'>): string =>
  `http://127.0.0.1:${addresses.httpPort}`;
