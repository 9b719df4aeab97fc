const GUID_BYTES = 16;
const SECRET_BYTES = 30;

/** A GUID. `crypto.randomUUID` exists only on secure pages, and a jar may be reached by plain HTTP. */
export function newGuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GUID_BYTES));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A secret of 240 random bits. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
