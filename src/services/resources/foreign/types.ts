import { INFRASTRUCTURE } from './infrastructure.ts';
import { MESSAGING } from './messaging.ts';
import { PLATFORMS } from './platforms.ts';
import { type ForeignType, typesOf } from './rows.ts';

/** Types of other providers that the jar offers as records. */
export const FOREIGN_TYPES: readonly ForeignType[] = [...INFRASTRUCTURE, ...MESSAGING, ...PLATFORMS].flatMap(typesOf);
