import { Type } from 'typebox';
import type { Jar } from '../../../kernel/service/index.ts';
import { STATUSES, type SubjectRequest } from './collections.ts';
import { signatureOf } from './signature.ts';

export const Receipt = Type.Object({ token: Type.String(), createdAt: Type.String() });

export const receiptOf = ({ token, createdAt }: SubjectRequest) => ({ token, createdAt });

export const StatusView = Type.Object({
  status: Type.Enum([...STATUSES]),
  message: Type.String(),
  sasUrl: Type.Optional(Type.String()),
  sasUrlExpired: Type.Optional(Type.Boolean()),
});

interface Asked {
  readonly jar: Jar;
  readonly origin: string;
}

export function statusView({ jar, origin }: Asked, { token, status, message, expiresAt }: SubjectRequest) {
  if (expiresAt === undefined) return { status, message };
  const sasUrlExpired = jar.clock.now() >= Date.parse(expiresAt);
  const sasUrl = `${origin}/v0.1/public/exports/${token}?se=${encodeURIComponent(expiresAt)}&sig=${signatureOf(jar.vault, token)}`;
  return { status, message, sasUrl, sasUrlExpired };
}
