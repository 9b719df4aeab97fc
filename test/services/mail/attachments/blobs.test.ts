import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  copyBlob,
  deleteBlob,
  putBlob,
  putPieces,
  readBlob,
  readBlobText,
  readPart,
  streamBlob,
} from '../../../../src/services/mail/blobs/store.ts';
import { blobPieces } from '../../../../src/services/mail/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';

const PIECE = 192 * 1024;
const probe = new JarProbe();

/** Repeats after a length of which the piece length is not a multiple. */
const bytesOf = (length: number, seed: number): Buffer =>
  Buffer.alloc(length, Buffer.from(Array.from({ length: 997 }, (_, index) => (index * 31 + seed) % 251)));

/** Lengths around multiples of the piece length are the likely failures. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: -2, max: 2 }).map((by) => PIECE + by),
  fc.integer({ min: -2, max: 2 }).map((by) => 2 * PIECE + by),
);

onBothStores(
  'blobs',
  () => {
    it('a blob written in parts of any lengths equals one written at once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(length, { maxLength: 4 }), fc.nat(250), async (lengths, seed) => {
          const { store } = probe.jar;
          const whole = bytesOf(
            lengths.reduce((sum, each) => sum + each, 0),
            seed,
          );
          const blob = await store.transact((tx) => putBlob(tx, Buffer.alloc(0)));
          let at = 0;
          for (const each of lengths) {
            const part = whole.subarray(at, at + each);
            await store.transact((tx) => putPieces(tx, blob, at, part));
            at += each;
          }
          expect((await readBlob(store, blob)).equals(whole)).toBe(true);
          expect(await readBlobText(store, blob)).toBe(whole.toString('base64'));
          expect(await store.count(blobPieces, { prefix: `${blob}/` })).toBe(Math.ceil(whole.length / PIECE));
          const from = Math.floor(whole.length / 3);
          const part = await readPart(store, blob, from, whole.length - 1);
          expect(part.equals(whole.subarray(from, whole.length - 1))).toBe(true);
          const copy = await store.transact((tx) => copyBlob(tx, blob));
          await store.transact((tx) => deleteBlob(tx, blob));
          expect((await readBlob(store, copy)).equals(whole)).toBe(true);
          await store.transact((tx) => deleteBlob(tx, copy));
          expect(await store.count(blobPieces)).toBe(0);
        }),
        { numRuns: 8 },
      );
    });

    it('a stream of a blob that is shorter than it should be fails', async () => {
      const { store } = probe.jar;
      const blob = await store.transact((tx) => putBlob(tx, bytesOf(PIECE + 5, 1)));
      expect(Buffer.concat(await Array.fromAsync(streamBlob(store, blob, PIECE + 5)))).toEqual(bytesOf(PIECE + 5, 1));
      await expect(Array.fromAsync(streamBlob(store, blob, PIECE + 6))).rejects.toThrow('ended after');
      await store.transact((tx) => deleteBlob(tx, blob));
    });
  },
  { services: [...SERVICES, probe.service] },
);
