import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ConfigError } from '../../config/config.ts';
import type { EngineContext } from '../context.ts';
import type { EngineAddress } from './address.ts';

/** Number of loopback addresses that are tried for a group. */
export const ADDRESSES_TRIED = 4;
/** 127.64.0.0/10: loopback, and away from the addresses that people usually assign by hand. */
const LOOPBACK_BASE = (127 << 24) | (64 << 16);
const LOOPBACK_BITS = 22;

/** Host addresses on which ports of Public groups are published. */
export interface Publishing {
  /** Addresses to try, in order. */
  candidates(uid: string): readonly string[];
  /** The address that clients see for one of the candidates. */
  shown(address: string): string;
}

export function publishingOf(
  { settings: { publish }, settingsPath }: Pick<EngineContext, 'settings' | 'settingsPath'>,
  address: EngineAddress,
  platform = process.platform,
): Publishing {
  const where = publish ?? usual(address, platform);
  if (where === 'loopback') return { candidates: loopbackCandidates, shown: (own) => own };
  if (isIP(where) === 0)
    throw new ConfigError(`${settingsPath}.publish must be "loopback" or an IP address, not "${where}"`);
  return { candidates: () => [where], shown: (own) => (isAny(own) ? machineAddress(address) : own) };
}

/**
 * Linux accepts connections on all of 127.0.0.0/8; other systems have a single loopback address. An engine on another machine publishes on
 * that machine's addresses.
 */
function usual(address: EngineAddress, platform: NodeJS.Platform): string {
  if (address.kind === 'http' && !isHere(address.origin)) return '0.0.0.0';
  return platform === 'linux' ? 'loopback' : '127.0.0.1';
}

/** Stable for a group as long as no other group has taken the address. */
export function loopbackCandidates(uid: string): string[] {
  return Array.from({ length: ADDRESSES_TRIED }, (_, attempt) => {
    const hash = createHash('sha256').update(`${uid}/${attempt}`).digest().readUInt32BE(0);
    const number = (LOOPBACK_BASE | (hash >>> (32 - LOOPBACK_BITS))) >>> 0;
    const bytes = [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
    // The first and last address of a /24 look like network and broadcast addresses.
    bytes[3] = Math.min(254, Math.max(1, bytes[3]!));
    return bytes.join('.');
  });
}

const isAny = (address: string): boolean => address === '0.0.0.0' || address === '::';

function isHere(origin: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(origin).hostname);
}

function machineAddress(address: EngineAddress): string {
  const host = address.kind === 'http' ? new URL(address.origin).hostname : '';
  if (isIP(host) !== 0) return host;
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
