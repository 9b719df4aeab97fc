import type { Device } from './types.ts';

/** For example `Android 13`, as far as known; empty if nothing is known. */
export const systemOf = ({ osName, osVersion }: Device): string => [osName, osVersion].filter(Boolean).join(' ');
