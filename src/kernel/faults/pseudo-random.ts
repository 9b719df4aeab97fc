const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A pseudo-random number from 0 up to 1 for the n-th match with a seed: independent of time, node and order of evaluation. FNV-1a hashes
 * both values; the final steps of MurmurHash3 make similar inputs differ.
 */
export function pseudoRandom(seed: string | number, n: number): number {
  let hash = FNV_OFFSET;
  const text = `${seed}:${n}`;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
