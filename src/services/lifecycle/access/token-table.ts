import { timingSafeEqual } from 'node:crypto';
import { type HeldToken, SCOPES, type Scope } from '../collections.ts';
import type { SecretHash } from './secrets.ts';

const PROOF_BYTES = 16;
const SMALLEST = 256;
/** Maximum load factor of the table; a fuller table has longer probes. */
const MOST_FILLED = 0.7;

/** Values of a slot: empty, removed, or a token with a scope, numbered from here. */
const EMPTY = 0;
const REMOVED = 1;
const FIRST_SCOPE = 2;
const NO_APP = 0;

/**
 * Tokens keyed by the hashes of their secrets, stored in a few long typed arrays: a million tokens as objects would take half a gigabyte.
 * Here they take less than 100 MB, and the lookup time does not depend on their number.
 */
export class TokenTable {
  #places = SMALLEST;
  /** Slots that are not empty, including those of removed tokens. */
  #filled = 0;
  #ids = new BigUint64Array(2 * SMALLEST);
  #proofs = Buffer.alloc(PROOF_BYTES * SMALLEST);
  #users = new Uint32Array(SMALLEST);
  #apps = new Uint32Array(SMALLEST);
  #kinds = new Uint8Array(SMALLEST);
  readonly #names: string[] = [''];
  readonly #numbers = new Map<string, number>();
  readonly #sought = Buffer.alloc(2 * PROOF_BYTES);
  readonly #soughtId = new BigUint64Array(this.#sought.buffer, this.#sought.byteOffset, 2);
  readonly #soughtProof = this.#sought.subarray(PROOF_BYTES);

  find(imprint: SecretHash): HeldToken | undefined {
    const place = this.#placeOf(imprint);
    if (place < 0) return undefined;
    const proof = this.#proofs.subarray(place * PROOF_BYTES, (place + 1) * PROOF_BYTES);
    if (!timingSafeEqual(this.#soughtProof, proof)) return undefined;
    const app = this.#apps[place] as number;
    return {
      id: imprint.id,
      userId: this.#names[this.#users[place] as number] as string,
      ...(app !== NO_APP && { appId: this.#names[app] as string }),
      scope: SCOPES[(this.#kinds[place] as number) - FIRST_SCOPE] as Scope,
    };
  }

  add(token: HeldToken & SecretHash): void {
    if (this.#placeOf(token) >= 0) return;
    if (this.#filled >= this.#places * MOST_FILLED) this.#grow();
    this.#read(token);
    let place = this.#firstPlace();
    while (this.#kinds[place] !== EMPTY) place = this.#after(place);
    this.#filled++;
    this.#ids.set(this.#soughtId, 2 * place);
    this.#soughtProof.copy(this.#proofs, place * PROOF_BYTES);
    this.#users[place] = this.#numberOf(token.userId);
    this.#apps[place] = token.appId === undefined ? NO_APP : this.#numberOf(token.appId);
    this.#kinds[place] = FIRST_SCOPE + SCOPES.indexOf(token.scope);
  }

  remove(id: string): void {
    const place = this.#placeOf({ id, proof: '' });
    if (place >= 0) this.#kinds[place] = REMOVED;
  }

  /** Slot of the token with this imprint; negative if it is missing. */
  #placeOf(imprint: SecretHash): number {
    this.#read(imprint);
    const [first, second] = this.#soughtId;
    let place = this.#firstPlace();
    for (; this.#kinds[place] !== EMPTY; place = this.#after(place)) {
      const isIt = this.#ids[2 * place] === first && this.#ids[2 * place + 1] === second;
      if (isIt && this.#kinds[place] !== REMOVED) return place;
    }
    return -1;
  }

  #read({ id, proof }: SecretHash): void {
    this.#sought.write(id.replaceAll('-', '') + proof, 'hex');
  }

  #firstPlace(): number {
    return this.#sought.readUInt32LE(0) & (this.#places - 1);
  }

  #after(place: number): number {
    return (place + 1) & (this.#places - 1);
  }

  #numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  /** Rehashes into twice as many slots, or into the same number if most slots belong to removed tokens. */
  #grow(): void {
    const [ids, proofs, users, apps, kinds] = [this.#ids, this.#proofs, this.#users, this.#apps, this.#kinds];
    const places = this.#places;
    const held = kinds.reduce((count, kind) => count + (kind >= FIRST_SCOPE ? 1 : 0), 0);
    if (held >= (places * MOST_FILLED) / 2) this.#places *= 2;
    this.#filled = held;
    this.#ids = new BigUint64Array(2 * this.#places);
    this.#proofs = Buffer.alloc(PROOF_BYTES * this.#places);
    this.#users = new Uint32Array(this.#places);
    this.#apps = new Uint32Array(this.#places);
    this.#kinds = new Uint8Array(this.#places);
    for (let from = 0; from < places; from++) {
      const kind = kinds[from] as number;
      if (kind < FIRST_SCOPE) continue;
      this.#soughtId.set(ids.subarray(2 * from, 2 * from + 2));
      let to = this.#firstPlace();
      while (this.#kinds[to] !== EMPTY) to = this.#after(to);
      this.#ids.set(this.#soughtId, 2 * to);
      proofs.copy(this.#proofs, to * PROOF_BYTES, from * PROOF_BYTES, (from + 1) * PROOF_BYTES);
      this.#users[to] = users[from] as number;
      this.#apps[to] = apps[from] as number;
      this.#kinds[to] = kind;
    }
  }
}
