import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Vault } from '../auth/vault.ts';
import { cutOff, malformed } from './lines.ts';

/**
 * The encrypted part of a file is a sequence of frames, each a line `["e","…"]`, the last one `["z","…"]`. A frame is encrypted with
 * AES-256-GCM under the key of the file. Its number is the nonce, and whether it is the last one is authenticated, so that frames cannot be
 * changed, left out or reordered.
 */
const FRAME = /^\["([ez])","([A-Za-z0-9+/=]*)"\]$/;
const FRAME_BYTES = 192 * 1024;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'snapshot file content';

export async function* framesOf(bytes: AsyncIterable<Buffer>, vault: Vault): AsyncGenerator<string> {
  const key = vault.deriveKey(PURPOSE);
  let number = 0;
  let collected: Buffer = Buffer.alloc(0);
  for await (const part of bytes) {
    collected = Buffer.concat([collected, part]);
    while (collected.length > FRAME_BYTES) {
      yield frame(key, number++, 'e', collected.subarray(0, FRAME_BYTES));
      collected = collected.subarray(FRAME_BYTES);
    }
  }
  yield frame(key, number, 'z', collected);
}

/** Decrypts the frames. Throws at the first frame that was changed, and if the last frame is missing. */
export async function* bytesOfFrames(lines: AsyncIterable<string>, vault: Vault): AsyncGenerator<Buffer> {
  const key = vault.deriveKey(PURPOSE);
  let number = 0;
  let isDone = false;
  for await (const line of lines) {
    if (isDone) throw malformed('there is more after its last line');
    const [, kind, text] = FRAME.exec(line) ?? [];
    if (kind === undefined || text === undefined) throw malformed(`line ${number + 2} is not an encrypted piece`);
    yield opened(key, number, kind, Buffer.from(text, 'base64'));
    number += 1;
    isDone = kind === 'z';
  }
  if (!isDone) throw cutOff('its last line is missing');
}

function frame(key: Buffer, number: number, kind: 'e' | 'z', plain: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(Buffer.from(kind));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `["${kind}","${sealed.toString('base64')}"]`;
}

function opened(key: Buffer, number: number, kind: string, sealed: Buffer): Buffer {
  try {
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(Buffer.from(kind));
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    throw cutOff(`its encrypted piece ${number + 1} was changed, or is not in its place`);
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 4);
  return nonce;
}
