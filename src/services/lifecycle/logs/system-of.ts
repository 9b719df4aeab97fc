import type { Device } from './types.ts';

/** `Android 13`, as far as it is known; an empty text where nothing is. */
export const systemOf = ({ osName, osVersion }: Device): string => [osName, osVersion].filter(Boolean).join(' ');
