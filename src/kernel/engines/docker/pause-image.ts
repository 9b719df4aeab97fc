import type { EngineClient } from './client.ts';
import { tar } from './tar.ts';

/** Image and command of the infrastructure containers. */
export interface PauseImage {
  readonly image: string;
  readonly command: readonly string[];
}

export const OWN_IMAGE = 'cloudjar/pause:1';
const OWN: PauseImage = { image: OWN_IMAGE, command: ['/pause'] };
const ELSEWHERE: PauseImage = { image: 'registry.k8s.io/pause:3.9', command: ['/pause'] };

interface Machine {
  /** `e_machine` of an ELF file. */
  readonly number: number;
  readonly code: readonly number[];
}

/**
 * Machine code that waits forever. It runs as process 1 of its container, which ignores signals without a handler, so it needs no handlers;
 * the engine kills it.
 */
const MACHINES: Readonly<Record<string, Machine>> = {
  amd64: {
    number: 62,
    code: [
      ...[0xb8, 0x22, 0x00, 0x00, 0x00], //  mov eax, 34     the call is pause()
      ...[0x0f, 0x05], //                    syscall
      ...[0xeb, 0xf7], //                    jmp back to the first one
    ],
  },
  arm64: {
    number: 183,
    code: [
      ...[0x00, 0x00, 0x80, 0xd2], // mov x0, 0       no files
      ...[0x01, 0x00, 0x80, 0xd2], //        mov x1, 0
      ...[0x02, 0x00, 0x80, 0xd2], // mov x2, 0       no time limit
      ...[0x03, 0x00, 0x80, 0xd2], // mov x3, 0       no signal mask
      ...[0x28, 0x09, 0x80, 0xd2], // mov x8, 73      the call is ppoll(); arm64 has no pause()
      ...[0x01, 0x00, 0x00, 0xd4], //        svc 0
      ...[0xfa, 0xff, 0xff, 0x17], //        b back to the first one
    ],
  },
};

/** The image for an architecture: built here for common ones, so no registry is needed; otherwise the pause image of Kubernetes. */
export const pauseImage = (architecture: string): PauseImage => (architecture in MACHINES ? OWN : ELSEWHERE);

/** Creates or pulls the image in the engine. */
export async function makePauseImage(client: EngineClient, architecture: string): Promise<void> {
  const machine = MACHINES[architecture];
  if (!machine) {
    const [fromImage, tag] = ELSEWHERE.image.split(':');
    await client.text('POST', '/images/create', { query: { fromImage, tag }, answerMs: 0 });
    return;
  }
  await client.text('POST', '/images/create', {
    query: {
      fromSrc: '-',
      repo: OWN.image,
      message: 'holds the network of a container group',
      changes: 'CMD ["/pause"]',
    },
    bytes: tar([{ kind: 'file', path: 'pause', mode: 0o555, content: program(machine) }]),
  });
}

/** Builds a complete static ELF file: header, one segment, code. */
export function program({ number, code }: Machine): Buffer {
  const headerBytes = 64;
  const segmentBytes = 56;
  const start = headerBytes + segmentBytes;
  const loadedAt = 0x400000;
  const file = Buffer.alloc(start + code.length);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file); // 64 bits, little-endian, version 1
  file.writeUInt16LE(2, 16); // executable
  file.writeUInt16LE(number, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(loadedAt + start), 24); // entry point
  file.writeBigUInt64LE(BigInt(headerBytes), 32); // offset of the program headers
  file.writeUInt16LE(headerBytes, 52);
  file.writeUInt16LE(segmentBytes, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, headerBytes); // PT_LOAD
  file.writeUInt32LE(5, headerBytes + 4); // readable and executable
  file.writeBigUInt64LE(BigInt(loadedAt), headerBytes + 16);
  file.writeBigUInt64LE(BigInt(loadedAt), headerBytes + 24);
  file.writeBigUInt64LE(BigInt(file.length), headerBytes + 32);
  file.writeBigUInt64LE(BigInt(file.length), headerBytes + 40);
  file.writeBigUInt64LE(0x10000n, headerBytes + 48); // aligned to the largest page size
  Buffer.from(code).copy(file, start);
  return file;
}
