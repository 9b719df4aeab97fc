import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes a session that no client has used. */
export const FORGET_SESSION = defineWork<{ readonly id: string }>('containers.forget-session', {
  title: 'Deletes an unused session of a container',
});

export const sessionWorkId = (id: string): string => `containers-session:${id}`;

export const forgetSessionAt = (expiresAt: number, id: string): NewWork =>
  FORGET_SESSION.at(expiresAt, { id }, sessionWorkId(id));
